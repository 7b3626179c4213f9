#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/statistics/distributions.h"
#include "experiments/statistics/moments.h"
#include "podium/error.h"
#include "podium/significance.h"

namespace podium {
namespace {

constexpr double kLargest = 1e100;  // squares and their sums stay finite

}  // namespace

PairedDifferences paired_differences(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    throw Error(ErrorCode::data,
                fmt::format("two systems to compare have {} and {} queries; evaluate both on the "
                            "same queries",
                            a.size(), b.size()));
  PairedDifferences result;
  for (std::size_t q = 0; q < a.size(); ++q) {
    if (std::isnan(a[q]) || std::isnan(b[q])) {
      ++result.dropped;
      continue;
    }
    const double difference = a[q] - b[q];
    if (!(std::abs(difference) <= kLargest)) ++result.unusable;
    result.values.push_back(difference);
    result.resolution =
        std::max({result.resolution, kRounding * std::abs(a[q]), kRounding * std::abs(b[q])});
  }
  if (result.unusable) result.values.clear();
  for (double& d : result.values)
    if (std::abs(d) <= result.resolution) d = 0;
  return result;
}

Effect effect(const PairedDifferences& differences, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorCode::usage,
                fmt::format("confidence {} is not between 0 and 1 (0.95 is usual)", confidence));
  Effect result;
  result.queries = differences.values.size();
  for (const double d : differences.values)
    ++(d > 0 ? result.wins : d < 0 ? result.losses : result.ties);
  const Moments moments = moments_of(differences.values);
  result.mean = moments.mean;
  if (result.queries < 2) return result;
  if (moments.deviation > differences.resolution)
    result.cohens_dz = moments.mean / moments.deviation;
  const auto n = static_cast<double>(result.queries);
  const double half = student_t_critical(1 - confidence, n - 1) * moments.deviation / std::sqrt(n);
  result.interval = Interval{moments.mean - half, moments.mean + half};
  return result;
}

}  // namespace podium
