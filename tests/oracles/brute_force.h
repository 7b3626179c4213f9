// Oracles by exhaustion: every interleaving of goods and bads in score order, or every permutation.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "podium/oracle.h"

namespace podium::testing {

struct OracleCase {
  std::vector<float> labels;
  std::vector<std::uint32_t> good, bad;
  std::vector<double> scores;

  OracleQuery query() const { return {labels, good, bad}; }
  std::size_t size() const { return labels.size(); }
};

// Scores on a coarse grid, so that many tie; 1 + below(goods) goods and as many bads.
inline OracleCase random_case(Random& random, std::size_t goods, std::size_t bads, int grades = 2) {
  OracleCase out;
  const std::size_t n = goods + bads;
  std::vector<float> labels(n);
  for (std::size_t i = 0; i < goods; ++i)
    labels[i] = static_cast<float>(1 + random.below(static_cast<std::uint64_t>(grades - 1)));
  random.shuffle(std::span(labels));
  out.labels = labels;
  const double step = random.below(2) ? 0.25 : 0.01;
  for (std::size_t i = 0; i < n; ++i) {
    (labels[i] > 0 ? out.good : out.bad).push_back(static_cast<std::uint32_t>(i));
    out.scores.push_back(
        step * static_cast<double>(random.below(1 + static_cast<std::uint64_t>(2 / step))) - 1);
  }
  return out;
}

// A ranking as documents in order.
using Order = std::vector<std::uint32_t>;

inline void for_each_permutation(std::size_t n, const std::function<void(const Order&)>& visit) {
  Order order(n);
  std::iota(order.begin(), order.end(), 0U);
  do visit(order);
  while (std::next_permutation(order.begin(), order.end()));
}

// Goods and bads each in score order, merged in every way.
inline void for_each_interleaving(const OracleCase& data,
                                  const std::function<void(const Order&)>& visit) {
  const auto sorted = [&](std::vector<std::uint32_t> list) {
    std::stable_sort(list.begin(), list.end(),
                     [&](auto a, auto b) { return data.scores[a] > data.scores[b]; });
    return list;
  };
  const auto good = sorted(data.good), bad = sorted(data.bad);
  Order order;
  const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t g, std::size_t b) {
    if (g == good.size() && b == bad.size()) return visit(order);
    if (g < good.size()) {
      order.push_back(good[g]);
      extend(g + 1, b);
      order.pop_back();
    }
    if (b < bad.size()) {
      order.push_back(bad[b]);
      extend(g, b + 1);
      order.pop_back();
    }
  };
  extend(0, 0);
}

// Δ(y) and −<c(y), s> from their definitions.
using Delta = std::function<double(const OracleCase&, const Order&)>;
using Violation = std::function<double(const OracleCase&, const Order&)>;

// φ_po: 2/(n⁺n⁻) Σ over bads above goods of (s_b − s_g).
inline double partial_order_violation(const OracleCase& data, const Order& order) {
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (data.labels[order[i]] == 0 && data.labels[order[j]] > 0)
        sum += data.scores[order[i]] - data.scores[order[j]];
  return 2 * sum / (static_cast<double>(data.good.size()) * static_cast<double>(data.bad.size()));
}

// φ_mrr: Σ over bads above the topmost good of (s_b − s_g).
inline double topmost_violation(const OracleCase& data, const Order& order) {
  double sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (data.labels[order[i]] > 0) return sum - static_cast<double>(i) * data.scores[order[i]];
    sum += data.scores[order[i]];
  }
  return sum;
}

inline double auc_delta(const OracleCase& data, const Order& order) {
  double swapped = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      swapped += data.labels[order[i]] == 0 && data.labels[order[j]] > 0;
  return swapped / (static_cast<double>(data.good.size()) * static_cast<double>(data.bad.size()));
}

inline double ap_delta(const OracleCase& data, const Order& order) {
  double goods = 0, sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (data.labels[order[i]] > 0) sum += ++goods / static_cast<double>(i + 1);
  return 1 - sum / goods;
}

inline double discount_at(bool letor, std::size_t r) {
  const auto rank = static_cast<double>(r);
  if (letor) return r < 2 ? 1.0 : 1 / std::log2(rank + 1);
  return 1 / std::log2(rank + 2);
}

// Gains 2^g − 1 (1 for a good of a binary case), cut off at k.
inline double ndcg_delta(const OracleCase& data, const Order& order, std::size_t k, bool letor) {
  std::vector<double> gains;
  for (const float y : data.labels) gains.push_back(std::exp2(y) - 1);
  double reached = 0, ideal = 0;
  for (std::size_t r = 0; r < std::min(k, order.size()); ++r)
    reached += gains[order[r]] * discount_at(letor, r);
  std::sort(gains.begin(), gains.end(), std::greater<>());
  for (std::size_t r = 0; r < std::min(k, gains.size()); ++r)
    ideal += gains[r] * discount_at(letor, r);
  return 1 - reached / ideal;
}

inline double rr_delta(const OracleCase& data, const Order& order, std::size_t k) {
  for (std::size_t r = 0; r < order.size(); ++r)
    if (data.labels[order[r]] > 0) return r < k ? 1 - 1 / static_cast<double>(r + 1) : 1.0;
  return 1.0;
}

}  // namespace podium::testing
