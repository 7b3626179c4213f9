#include "losses/listwise/long_smooth.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"

namespace podium {
namespace {

using At = DifferenceSums::At;

constexpr double kSmoothBox = 0.75, kSmoothReach = 7, kMostSmoothBoxes = 1e9;  // in units of √σ
constexpr std::size_t kManyRanks = 512, kFewValues = 16;

std::vector<double> scaled(std::span<const double> scores, double scale) {
  std::vector<double> points;
  points.reserve(scores.size());
  for (const double score : scores) points.push_back(score / scale);
  return points;
}

std::vector<double> different(std::span<const double> values) {
  std::vector<double> all(values.begin(), values.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

bool LongSmooth::applies(std::span<const double> scores, std::span<const double> values,
                         double sigma, std::size_t ranks) {
  if (ranks <= kManyRanks || different(values).size() > kFewValues) return false;
  const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
  return *high - *low <= kMostSmoothBoxes * std::sqrt(sigma);
}

LongSmooth::LongSmooth(std::span<const double> scores, std::span<const double> values, double sigma,
                       StopCheck stop)
    : values_(values),
      scale_(std::sqrt(sigma)),
      sums_(scaled(scores, scale_), kSmoothBox, stop),
      bell_(sums_.tabulate({kSmoothReach}, [](double x) { return math::exp(-x * x); })),
      slope_(sums_.tabulate({kSmoothReach}, [](double x) { return -2 * x * math::exp(-x * x); })) {
  const std::vector<double> ones(values.size(), 1.0);
  const auto totals = sums_.sum(bell_, sums_.gather(everything(), ones), At::second);
  const auto valued = sums_.sum(bell_, sums_.gather(everything(), values), At::second);
  for (std::size_t i = 0; i < values.size(); ++i) {
    total_.push_back(sums_.read(totals, i));
    expected_.push_back(sums_.read(valued, i) / total_[i]);
  }
}

void LongSmooth::differentiate(std::span<const double> slopes, Derivatives out) const {
  std::vector<double> charges;
  for (std::size_t r = 0; r < slopes.size(); ++r) charges.push_back(slopes[r] / total_[r]);
  add_first(charges, out.first);
  if (!out.second.empty()) add_second(charges, out.second);
}

// The bell of document i around rank r, c_r (v_i − E_r) e^{−x²}, by both scores.
void LongSmooth::add_first(std::span<const double> charges, std::span<double> first) const {
  const std::size_t n = values_.size();
  std::vector<double> expected(n), ones(n, 1.0);
  for (std::size_t r = 0; r < n; ++r) expected[r] = charges[r] * expected_[r];
  const auto sum = [&](std::span<const double> of, At at) {
    return sums_.sum(slope_, sums_.gather(everything(), of), at);
  };
  const auto by_rank = sum(charges, At::first), by_expected = sum(expected, At::first);
  const auto by_document = sum(ones, At::second), by_value = sum(values_, At::second);
  for (std::size_t i = 0; i < n; ++i) {
    const double as_document = values_[i] * sums_.read(by_rank, i) - sums_.read(by_expected, i);
    const double as_rank =
        charges[i] * (sums_.read(by_value, i) - expected_[i] * sums_.read(by_document, i));
    first[i] += (as_document - as_rank) / scale_;
  }
}

// 2/σ times the magnitudes of the same terms: value by value, because magnitudes cannot be
// combined.
void LongSmooth::add_second(std::span<const double> charges, std::span<double> second) const {
  const std::size_t n = values_.size();
  std::vector<double> sizes(n), having(n);
  const double factor = 2 / (scale_ * scale_);
  for (const double value : different(values_)) {
    for (std::size_t i = 0; i < n; ++i) {
      sizes[i] = std::abs(charges[i] * (value - expected_[i]));
      having[i] = values_[i] == value ? 1 : 0;
    }
    const auto over_ranks = sums_.sum(bell_, sums_.gather(everything(), sizes), At::first);
    const auto over_documents = sums_.sum(bell_, sums_.gather(everything(), having), At::second);
    for (std::size_t i = 0; i < n; ++i) {
      if (having[i] > 0) second[i] += factor * std::max(sums_.read(over_ranks, i), 0.0);
      if (sizes[i] > 0)
        second[i] += factor * sizes[i] * std::max(sums_.read(over_documents, i), 0.0);
    }
  }
}

}  // namespace podium
