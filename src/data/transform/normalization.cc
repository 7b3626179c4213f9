#include "data/transform/normalization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "podium/error.h"

namespace podium {
namespace {

struct Extent {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
};

// NaN fails both comparisons.
Extent extent(std::span<const float> column) {
  Extent e;
  for (const float x : column) {
    if (x < e.low) e.low = x;
    if (x > e.high) e.high = x;
  }
  return e;
}

void zero_all(std::span<float> column) {
  for (float& x : column)
    if (!std::isnan(x)) x = 0;
}

void minmax(std::span<float> column, Extent e) {
  const double low = e.low, width = static_cast<double>(e.high) - low;
  for (float& x : column)
    if (!std::isnan(x)) x = static_cast<float>((x - low) / width);
}

// The mean of term(x) over values that are not NaN, |term(x)| ≤ largest: a sum of integers, so that
// the order of the rows changes no bit.
template <class Term>
double mean_of(std::span<const float> column, double largest, Term&& term) {
  std::int64_t n = 0;
  for (const float x : column) n += !std::isnan(x);
  if (!(largest > 0)) return 0;
  // |term| · scale < 2^(62 − bits of n)
  constexpr std::uint64_t kExponent = 0x7FF0000000000000;
  const auto power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(largest) & kExponent);
  const int bits = 61 - std::bit_width(static_cast<std::uint64_t>(n));
  const double scale = static_cast<double>(std::int64_t{1} << bits) / power;
  std::int64_t sum = 0;
  for (const float x : column)
    if (!std::isnan(x)) sum += static_cast<std::int64_t>(term(x) * scale);
  return static_cast<double>(sum) / scale / static_cast<double>(n);
}

void zscore(std::span<float> column, Extent e) {
  const double low = e.low, high = e.high;
  const double mean = mean_of(column, std::max(-low, high), [](double x) { return x; });
  const double farthest = std::max(mean - low, high - mean);
  const double deviation = std::sqrt(
      mean_of(column, farthest * farthest, [mean](double x) { return (x - mean) * (x - mean); }));
  for (float& x : column)
    if (!std::isnan(x)) x = static_cast<float>((x - mean) / deviation);
}

void percentile(std::span<float> column, std::vector<float>& sorted) {
  sorted.clear();
  for (const float x : column)
    if (!std::isnan(x)) sorted.push_back(x);
  std::sort(sorted.begin(), sorted.end());
  for (float& x : column) {
    if (std::isnan(x)) continue;
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), x);
    const auto places = (first - sorted.begin()) + (last - sorted.begin()) - 1;
    x = static_cast<float>(0.5 * static_cast<double>(places) / static_cast<double>(sorted.size()));
  }
}

}  // namespace

const std::vector<std::string>& normalization_names() {
  static const std::vector<std::string> names = {"none", "query-minmax", "query-zscore",
                                                 "query-percentile"};
  return names;
}

Normalization parse_normalization(std::string_view name) {
  const auto& names = normalization_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(ErrorCode::usage, "unknown normalization '" + std::string(name) + "'" +
                                      suggestion(name, names) +
                                      " (none, query-minmax, query-zscore or query-percentile)");
  return static_cast<Normalization>(found - names.begin());
}

std::string_view to_text(Normalization normalization) {
  return normalization_names()[static_cast<std::size_t>(normalization)];
}

void normalize_column(Normalization normalization, std::span<float> column,
                      std::vector<float>& scratch) {
  if (normalization == Normalization::none) return;
  const Extent e = extent(column);
  if (!(e.low < e.high)) return zero_all(column);
  switch (normalization) {
    case Normalization::none:
      return;
    case Normalization::query_minmax:
      return minmax(column, e);
    case Normalization::query_zscore:
      return zscore(column, e);
    case Normalization::query_percentile:
      return percentile(column, scratch);
  }
}

}  // namespace podium
