// Which features may meet in a branch, from the root to a leaf: those of one group. A branch that
// has used some features may go on with the features of the groups that contain all of them. A
// feature of no group is alone in its branches. The root may use every feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trees/binned_dataset.h"

namespace podium {

class Interactions {
 public:
  // Groups of features of the data; none: every feature may meet every other.
  Interactions(std::vector<std::vector<std::uint32_t>> groups, const BinnedDataset& data);

  // What a leaf may use: empty for the root, and where there are no groups.
  struct Branch {
    std::vector<std::uint32_t> groups;  // that contain all features of the branch
    std::vector<char> allowed;          // by column; empty: all
  };
  // The branch of a leaf whose parent was split by this column.
  Branch after(const Branch& parent, std::uint32_t column) const;

 private:
  std::vector<std::vector<std::uint32_t>> groups_;  // columns, ascending
  std::size_t columns_;
};

}  // namespace podium
