// The order of a query's preferences in memory: by places and weight, so that the order of lines in
// a file does not matter.
#pragma once

#include <algorithm>
#include <span>
#include <tuple>

#include "podium/dataset.h"

namespace podium {

inline void sort_preferences(std::span<Preference> of_query) {
  std::sort(of_query.begin(), of_query.end(), [](const Preference& a, const Preference& b) {
    return std::tie(a.better, a.worse, a.weight) < std::tie(b.better, b.worse, b.weight);
  });
}

}  // namespace podium
