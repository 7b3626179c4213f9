// Baselines for the exact line search, on one list and the whole line: the naive exhaustive search,
// which evaluates the measure again between any two crossings, and a strong one, which updates it
// at each crossing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

struct PairCrossing {
  double alpha;
  std::uint32_t i, j;
};

// Crossings of all pairs of the lines b + αa, in ascending α; parallel lines never cross.
inline std::vector<PairCrossing> sorted_crossings(std::span<const double> b,
                                                  std::span<const double> a) {
  std::vector<PairCrossing> crossings;
  for (std::uint32_t i = 0; i < b.size(); ++i)
    for (std::uint32_t j = i + 1; j < b.size(); ++j)
      if (a[i] != a[j]) crossings.push_back({(b[i] - b[j]) / (a[j] - a[i]), i, j});
  std::sort(crossings.begin(), crossings.end(),
            [](const PairCrossing& x, const PairCrossing& y) { return x.alpha < y.alpha; });
  return crossings;
}

// Enumerates and sorts the crossings of all pairs, and swaps neighbours from left to right, O(1)
// per swap; `state` starts with an order and computes how a swap at a rank changes the value.
template <class State>
double search_all_pairs(std::span<const double> b, std::span<const double> a, State state) {
  const std::size_t n = b.size();
  std::vector<std::uint32_t> order(n), rank(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return a[i] < a[j]; });
  const std::vector<PairCrossing> crossings = sorted_crossings(b, a);
  for (std::uint32_t r = 0; r < n; ++r) rank[order[r]] = r;
  double value = state.start(order), best = value;
  for (const PairCrossing& crossing : crossings) {
    const bool first = rank[crossing.i] < rank[crossing.j];
    const std::uint32_t upper = first ? crossing.i : crossing.j;
    const std::uint32_t lower = first ? crossing.j : crossing.i;
    value += state.swap(rank[upper], upper, lower);
    std::swap(rank[upper], rank[lower]);
    best = std::max(best, value);
  }
  return best;
}

// Sorts and evaluates the list again after every stride-th of the sorted crossings.
template <class State>
double search_naively(std::span<const double> b, std::span<const double> a,
                      std::span<const PairCrossing> crossings, std::size_t stride, State state) {
  std::vector<std::uint32_t> order(b.size());
  std::vector<double> scores(b.size());
  double best = 0;
  for (std::size_t c = 0; c + 1 < crossings.size(); c += stride) {
    const double alpha = (crossings[c].alpha + crossings[c + 1].alpha) / 2;
    for (std::uint32_t i = 0; i < b.size(); ++i) {
      order[i] = i;
      scores[i] = b[i] + alpha * a[i];
    }
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return scores[i] > scores[j]; });
    best = std::max(best, state.start(order));
  }
  return best;
}

// Closed forms of a swap of neighbours.
class NaivePrecision {
 public:
  explicit NaivePrecision(std::span<const float> labels) : labels_(labels), found_(labels.size()) {}

  double start(std::span<const std::uint32_t> order) {
    double sum = 0;
    relevant_ = 0;
    for (std::size_t r = 0; r < order.size(); ++r) {
      if (labels_[order[r]] >= 1) sum += ++relevant_ / static_cast<double>(r + 1);
      found_[r] = relevant_;
    }
    return sum / relevant_;
  }
  double swap(std::uint32_t rank, std::uint32_t upper, std::uint32_t lower) {
    const bool falls = labels_[upper] >= 1;
    if (falls == (labels_[lower] >= 1)) return 0;
    const double count = falls ? found_[rank] : found_[rank] + 1, sign = falls ? -1 : 1;
    found_[rank] += sign;
    return sign * (count / (rank + 1) - count / (rank + 2)) / relevant_;
  }

 private:
  std::span<const float> labels_;
  std::vector<double> found_;  // relevant documents up to a rank
  double relevant_ = 0;
};

class NaiveNdcg {
 public:
  NaiveNdcg(std::span<const float> labels, std::size_t depth) : labels_(labels) {
    for (std::size_t r = 0; r < labels.size(); ++r)
      discounts_.push_back(r < depth ? 1 / std::log2(static_cast<double>(r) + 2) : 0);
    std::vector<float> ideal(labels.begin(), labels.end());
    std::sort(ideal.rbegin(), ideal.rend());
    for (std::size_t r = 0; r < ideal.size(); ++r) ideal_ += gain(ideal[r]) * discounts_[r];
  }

  double start(std::span<const std::uint32_t> order) const {
    double sum = 0;
    for (std::size_t r = 0; r < order.size(); ++r) sum += gain(labels_[order[r]]) * discounts_[r];
    return sum / ideal_;
  }
  double swap(std::uint32_t rank, std::uint32_t upper, std::uint32_t lower) const {
    return (gain(labels_[lower]) - gain(labels_[upper])) *
           (discounts_[rank] - discounts_[rank + 1]) / ideal_;
  }

 private:
  static double gain(float label) { return std::exp2(label) - 1; }

  std::span<const float> labels_;
  std::vector<double> discounts_;
  double ideal_ = 0;
};

}  // namespace podium
