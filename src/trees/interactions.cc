#include "trees/interactions.h"

#include <algorithm>
#include <numeric>

namespace podium {

Interactions::Interactions(std::vector<std::vector<std::uint32_t>> groups,
                           const BinnedDataset& data)
    : columns_(data.columns().size()) {
  for (auto& features : groups) {
    std::sort(features.begin(), features.end());
    auto& columns = groups_.emplace_back();
    for (std::size_t c = 0; c < columns_; ++c)
      if (std::binary_search(features.begin(), features.end(), data.columns()[c].feature))
        columns.push_back(static_cast<std::uint32_t>(c));
  }
}

Interactions::Branch Interactions::after(const Branch& parent, std::uint32_t column) const {
  if (groups_.empty()) return {};
  Branch branch;
  const auto keep = [&](std::uint32_t group) {
    if (std::binary_search(groups_[group].begin(), groups_[group].end(), column))
      branch.groups.push_back(group);
  };
  if (parent.allowed.empty())
    for (std::uint32_t group = 0; group < groups_.size(); ++group) keep(group);
  else
    std::for_each(parent.groups.begin(), parent.groups.end(), keep);
  branch.allowed.assign(columns_, 0);
  branch.allowed[column] = 1;
  for (const std::uint32_t group : branch.groups)
    for (const std::uint32_t other : groups_[group]) branch.allowed[other] = 1;
  return branch;
}

}  // namespace podium
