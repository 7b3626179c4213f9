// Two doubles at a time, with the compilers' vector extensions (every 64-bit target supports them).
// Arrays are padded to whole pairs with +∞.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace podium {

using Lanes = double __attribute__((vector_size(16)));
using LaneMask = std::int64_t __attribute__((vector_size(16)));
constexpr std::size_t kLanes = 2;

constexpr std::size_t whole_lanes(std::size_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}
inline Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store(Lanes lanes, double* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

inline double smallest(std::span<const double> padded) {
  Lanes least = load(padded.data());
  for (std::size_t i = kLanes; i < padded.size(); i += kLanes) {
    const Lanes here = load(padded.data() + i);
    least = here < least ? here : least;
  }
  return least[0] < least[1] ? least[0] : least[1];
}

inline std::size_t count_up_to(double limit, std::span<const double> padded) {
  const Lanes limits = {limit, limit};
  LaneMask counts = {0, 0};
  for (std::size_t i = 0; i < padded.size(); i += kLanes)
    counts -= load(padded.data() + i) <= limits;
  return static_cast<std::size_t>(counts[0] + counts[1]);
}

}  // namespace podium
