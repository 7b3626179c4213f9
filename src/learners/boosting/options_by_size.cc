#include "learners/boosting/options_by_size.h"

#include <algorithm>
#include <cmath>

#include "distributed/over_ranks.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kLeavesPerRoot = 1.0 / 16;
constexpr std::int64_t kFewestLeaves = 6, kMostLeaves = 31;

}  // namespace

std::int64_t leaves_by_size(std::uint64_t documents) {
  const double leaves = std::round(kLeavesPerRoot * std::sqrt(static_cast<double>(documents)));
  return std::clamp(static_cast<std::int64_t>(leaves), kFewestLeaves, kMostLeaves);
}

void check_leaves(const BoostingOptions& options) {
  if (options.leaves == 1)
    throw Error(ErrorCode::usage,
                "‹leaves 1›: must be 2 or more, or 0 for a number that suits the data");
}

BoostingOptions options_by_size(BoostingOptions options, const Dataset& train, Context& context) {
  check_leaves(options);
  if (options.leaves != 0) return options;
  options.leaves = leaves_by_size(count_over_ranks(train.documents(), context.comm));
  return options;
}

}  // namespace podium
