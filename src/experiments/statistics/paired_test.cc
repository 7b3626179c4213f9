// The paired tests by name, and how a table shows one.
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "podium/error.h"
#include "podium/significance.h"

namespace podium {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"t", "randomisation", "wilcoxon", "sign"};

}  // namespace

std::span<const std::string_view> paired_test_names() {
  return kNames;
}

TestResult paired_test(std::string_view name, const PairedDifferences& differences,
                       std::size_t permutations, Context& context) {
  if (name == "t") return paired_t(differences);
  if (name == "randomisation") return randomisation(differences, permutations, context);
  if (name == "wilcoxon") return wilcoxon(differences);
  if (name == "sign") return sign_test(differences);
  throw Error(ErrorCode::usage,
              fmt::format("unknown test '{}'; available are {}", name, fmt::join(kNames, ", ")));
}

std::string win_loss_text(const Effect& effect, const TestResult& test) {
  const bool significant = test.p && *test.p <= 0.05;
  return fmt::format("{}/{}{}", effect.wins, effect.losses, significant ? " **" : "");
}

}  // namespace podium
