// The paired tests by name, and how a table shows one.
#include <fmt/format.h>

#include "podium/significance.h"

namespace podium {

const Choices<PairedTest>& paired_tests() {
  static const Choices<PairedTest> choices = {{"t", PairedTest::t},
                                              {"randomisation", PairedTest::randomisation},
                                              {"wilcoxon", PairedTest::wilcoxon},
                                              {"sign", PairedTest::sign}};
  return choices;
}

TestResult paired_test(PairedTest test, const PairedDifferences& differences,
                       std::size_t permutations, Context& context) {
  switch (test) {
    case PairedTest::t:
      return paired_t(differences);
    case PairedTest::randomisation:
      return randomisation(differences, permutations, context);
    case PairedTest::wilcoxon:
      return wilcoxon(differences);
    case PairedTest::sign:
      return sign_test(differences);
  }
  return {};
}

std::string win_loss_text(const Effect& effect, const TestResult& test) {
  const bool significant = test.p && *test.p <= 0.05;
  return fmt::format("{}/{}{}", effect.wins, effect.losses, significant ? " **" : "");
}

}  // namespace podium
