#include "learners/boosting/options_by_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "podium/error.h"
#include "trees/tree_options.h"

namespace podium {
namespace {

constexpr double kLeavesPerRoot = 1.0 / 16;
constexpr std::int64_t kFewestLeaves = 6, kMostLeaves = 31;
constexpr std::int64_t kObliviousDepth = 6;

}  // namespace

std::int64_t leaves_by_size(std::uint64_t documents) {
  const double leaves = std::round(kLeavesPerRoot * std::sqrt(static_cast<double>(documents)));
  return std::clamp(static_cast<std::int64_t>(leaves), kFewestLeaves, kMostLeaves);
}

void check_leaves(const BoostingOptions& options) {
  if (options.leaves == 1)
    throw Error(ErrorCode::usage,
                "‹leaves 1›: must be 2 or more, or 0 for a number that suits the data");
  if (options.oblivious && options.max_depth > kMostObliviousDepth)
    throw Error(ErrorCode::usage, fmt::format("‹max-depth {}›: at most {} for ‹oblivious› trees",
                                              options.max_depth, kMostObliviousDepth));
}

BoostingOptions with_oblivious_shape(BoostingOptions options) {
  std::int64_t depth = options.max_depth;
  if (options.leaves > 0) {
    const std::int64_t fitting = std::bit_width(static_cast<std::uint64_t>(options.leaves)) - 1;
    depth = depth == 0 ? fitting : std::min(depth, fitting);
  }
  options.max_depth = depth == 0 ? kObliviousDepth : depth;
  options.leaves = std::int64_t{1} << options.max_depth;
  return options;
}

BoostingOptions options_by_size(BoostingOptions options, const Dataset& train, Context& context) {
  check_leaves(options);
  if (options.oblivious) return with_oblivious_shape(std::move(options));
  if (options.leaves != 0) return options;
  options.leaves = leaves_by_size(count_over_ranks(train.documents(), context.comm));
  return options;
}

}  // namespace podium
