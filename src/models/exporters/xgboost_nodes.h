// Trees as XGBoost has them, for its dump and its model file: to `yes` where x < condition in
// single precision, and nodes numbered level by level.
//
// x ≤ the largest float would need a condition of infinity, which JSON does not have. All values
// are, and none is below the smallest one: such a split is written with its children exchanged, as
// x < −largest, and missing values stay with their child.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/model.h"

namespace podium {

struct XgboostSplit {
  float condition;
  std::int32_t yes, no, missing;  // children as in Tree
};
XgboostSplit xgboost_split(const Tree::Node& node);
// Of a node that may test a category: XGBoost's `yes` is for the values that are not in the set.
XgboostSplit xgboost_split(const Tree& tree, std::size_t node);

// The root is 0, and `no` comes right after `yes`, which XGBoost relies on.
class XgboostNodeIds {
 public:
  explicit XgboostNodeIds(const Tree& tree);
  std::size_t of(std::int32_t at) const {
    return at < 0 ? leaf_[static_cast<std::size_t>(~at)] : node_[static_cast<std::size_t>(at)];
  }

 private:
  std::vector<std::size_t> node_, leaf_;
};

}  // namespace podium
