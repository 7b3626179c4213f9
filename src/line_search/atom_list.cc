#include "line_search/atom_list.h"

#include <algorithm>
#include <numeric>

namespace podium {

void AtomList::make(const LineQuery& query, const LineSpans& lines) {
  tie_order_ = query.tie_order;
  atoms_.clear();
  members_.resize(lines.size());
  std::size_t used = 0;
  const auto add = [&](std::span<const std::uint32_t> documents) {
    std::copy(documents.begin(), documents.end(),
              members_.begin() + static_cast<std::ptrdiff_t>(used));
    atoms_.push_back({lines[documents[0]], {members_.data() + used, documents.size()}});
    used += documents.size();
  };
  const bool expected = query.ties == Ties::expected;
  if (expected) twins_.find(lines);
  for (std::uint32_t i = 0; i < lines.size(); ++i)
    if (!expected || twins_.group_of(i) == Twins::kAlone) add({&i, 1});
  if (expected)
    for (const auto& group : twins_.groups()) add(group);
}

void AtomList::sort(double low) {
  order_.resize(atoms_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Line &x = atoms_[i].line, &y = atoms_[j].line;
    if (x.slope == y.slope && x.intercept == y.intercept)
      return tie_order_.empty() ? i < j : tie_order_[i] < tie_order_[j];
    if (low != -kNever) return is_above_after(low, x, y);
    return x.slope != y.slope ? x.slope < y.slope : x.intercept > y.intercept;
  });
}

}  // namespace podium
