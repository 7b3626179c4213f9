#include "trees/tree_options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/counted.h"
#include "podium/error.h"

namespace podium {

void check(const TreeOptions& options, std::size_t features) {
  const auto require = [](bool fine, const char* message) {
    if (!fine) throw Error(ErrorCode::usage, message);
  };
  require(options.leaves >= 1, "‹leaves›: a tree has at least 1 leaf");
  require(options.max_depth >= 0, "‹max-depth›: must not be negative (0: no limit)");
  require(options.shape != TreeOptions::Shape::oblivious ||
              (options.max_depth >= 1 && options.max_depth <= kMostObliviousDepth),
          "‹max-depth›: must be from 1 to 16 for ‹oblivious› trees");
  require(options.min_docs >= 0, "‹min-docs›: must not be negative");
  require(options.min_curvature >= 0, "‹min-curvature›: must not be negative");
  require(options.l2 >= 0 && std::isfinite(options.l2), "‹l2›: must be 0 or a positive number");
  require(options.category_l2 >= 0 && std::isfinite(options.category_l2),
          "‹category-l2›: must be 0 or a positive number");
  require(!std::isnan(options.min_gain), "‹min-gain›: must be a number");
  require(options.feature_fraction > 0 && options.feature_fraction <= 1,
          "‹feature-fraction›: must be above 0 and at most 1");
  if (!options.monotone.empty() && options.monotone.size() != features)
    throw Error(ErrorCode::usage,
                fmt::format("‹monotone›: {} for {}", counted(options.monotone.size(), "direction"),
                            counted(features, "feature")));
  require(std::all_of(options.monotone.begin(), options.monotone.end(),
                      [](std::int8_t way) { return way >= -1 && way <= 1; }),
          "‹monotone›: a direction is 1, 0 or -1");
}

}  // namespace podium
