// Functions of one query's labels that measures share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "podium/measure.h"

namespace podium {

// A document that was not judged (NaN) is not relevant.
inline bool is_relevant(float label, double from) {
  return static_cast<double>(label) >= from;
}

// How many judged documents are relevant, retrieved or not.
inline std::size_t count_relevant(std::span<const float> ideal, double from) {
  return static_cast<std::size_t>(
      std::partition_point(ideal.begin(), ideal.end(),
                           [from](float label) { return is_relevant(label, from); }) -
      ideal.begin());
}

inline std::size_t count_relevant_in(std::span<const float> labels, double from) {
  std::size_t count = 0;
  for (const float label : labels) count += is_relevant(label, from);
  return count;
}

// visit(begin, end) for each group of tied ranks that begins before `depth`.
template <class Visit>
void for_each_group(const TieGroups& ties, std::size_t depth, Visit&& visit) {
  std::size_t begin = 0;
  for (const std::size_t end : ties.ends) {
    if (begin >= depth) return;
    visit(begin, end);
    begin = end;
  }
}

}  // namespace podium
