// The values of one feature in ascending order; zeros that sparse rows do not store are only
// counted. Missing values are left out; −0 is 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace podium {

class SortedColumn {
 public:
  // Sorts the stored values in place.
  SortedColumn(std::span<float> stored, std::size_t unstored_zeros);

  std::size_t size() const noexcept { return stored_.size() + zeros_; }
  float operator[](std::size_t i) const {
    if (i < negative_) return stored_[i];
    return i < negative_ + zeros_ ? 0.0F : stored_[i - zeros_];
  }
  // How many values are ≤ x.
  std::size_t count_up_to(float x) const;
  // The smallest distinct values, at most this many.
  std::vector<float> distinct(std::size_t most) const;

 private:
  std::span<const float> stored_;
  std::size_t zeros_;
  std::size_t negative_ = 0;  // stored values below 0
};

}  // namespace podium
