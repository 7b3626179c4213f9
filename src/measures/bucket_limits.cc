#include "measures/bucket_limits.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "podium/label_use.h"

namespace podium {
namespace {

constexpr auto kMostBuckets = static_cast<std::size_t>(kHighestGrade) + 1;

}  // namespace

std::string bucket_count_problem(double count) {
  if (count == std::trunc(count) && count >= 2 && count <= static_cast<double>(kMostBuckets))
    return {};
  return fmt::format("a number of buckets from 2 to {}", kMostBuckets);
}

std::string label_edges_problem(std::span<const float> edges) {
  const auto finite = [](float edge) { return std::isfinite(edge); };
  if (!std::all_of(edges.begin(), edges.end(), finite))
    return fmt::format("the edges {} are not all finite", fmt::join(edges, ","));
  if (std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) != edges.end())
    return fmt::format("the edges {} are not in ascending order", fmt::join(edges, ","));
  if (edges.size() >= kMostBuckets)
    return fmt::format("{} edges make more than {} grades", edges.size(), kMostBuckets);
  return {};
}

}  // namespace podium
