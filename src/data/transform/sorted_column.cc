#include "data/transform/sorted_column.h"

#include <algorithm>

namespace podium {

SortedColumn::SortedColumn(std::span<float> stored, std::size_t unstored_zeros)
    : stored_(stored), zeros_(unstored_zeros) {
  for (float& x : stored) x += 0.0F;
  std::sort(stored.begin(), stored.end());
  negative_ = static_cast<std::size_t>(std::lower_bound(stored.begin(), stored.end(), 0.0F) -
                                       stored.begin());
}

std::size_t SortedColumn::count_up_to(float x) const {
  const auto stored = static_cast<std::size_t>(std::upper_bound(stored_.begin(), stored_.end(), x) -
                                               stored_.begin());
  return stored + (x >= 0 ? zeros_ : 0);
}

std::vector<float> SortedColumn::distinct(std::size_t most) const {
  std::vector<float> values;
  for (std::size_t i = 0; i < size() && values.size() < most; i = count_up_to(values.back()))
    values.push_back((*this)[i]);
  return values;
}

}  // namespace podium
