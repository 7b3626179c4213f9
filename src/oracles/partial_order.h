// Rankings under the partial-order feature map φ_po of [Yue07] and [Chakrabarti08] eq. 3. Good and
// bad documents each keep their score order, so a ranking is given by the number of bads above each
// good: column b_g, non-decreasing in g. With γ = 2 / (n⁺n⁻)
//
//   c_g = γ·b_g,   c_b = −γ·#{g : b_g > b},   −<c, s> = Σ_g γ (P(b_g) − b_g s_g)
//
// where P(b) is the sum of the b highest bad scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/oracle.h"

namespace podium {

// Tied documents of one kind are interchangeable, so the mean of the maximisers' coefficients is a
// valid subgradient, and the only one that does not depend on the order of the input: c of each
// group of documents with equal scores becomes their mean. `documents` and `scores` are in score
// order.
void average_ties(std::span<const std::uint32_t> documents, std::span<const double> scores,
                  std::span<double> c);

// A query's good and bad documents, each by descending score (ties by index).
struct SortedQuery {
  SortedQuery(const OracleQuery& query, std::span<const double> scores);

  std::size_t goods() const noexcept { return good.size(); }
  std::size_t bads() const noexcept { return bad.size(); }

  std::vector<std::uint32_t> good, bad;  // documents
  std::vector<double> good_score, bad_score;
};

class PartialOrder {
 public:
  PartialOrder(const OracleQuery& query, std::span<const double> scores);

  const SortedQuery& sorted() const noexcept { return sorted_; }
  std::size_t goods() const noexcept { return sorted_.goods(); }
  std::size_t bads() const noexcept { return sorted_.bads(); }
  double pair_weight() const noexcept { return gamma_; }

  // γ (P(b) − b s_g): what good g at column b adds to −<c, s>.
  double gain(std::size_t g, std::size_t b) const {
    return gamma_ * (bad_sum_[b] - static_cast<double>(b) * sorted_.good_score[g]);
  }
  // Σ of gain(g, b) over goods first … last − 1.
  double gain(std::size_t first, std::size_t last, std::size_t b) const {
    return gamma_ * (static_cast<double>(last - first) * bad_sum_[b] -
                     static_cast<double>(b) * (good_sum_[last] - good_sum_[first]));
  }
  // What bad j adds if it is above goods first … n⁺ − 1: −γ Σ (s_i − s_j).
  double gain_of_bad(std::size_t j, std::size_t first) const {
    return gamma_ * (static_cast<double>(goods() - first) * sorted_.bad_score[j] -
                     (good_sum_[goods()] - good_sum_[first]));
  }
  // #bads scored above good g, where its gain is largest; non-decreasing in g.
  std::vector<std::uint32_t> natural_columns() const;

  void coefficients(std::span<const std::uint32_t> columns, std::span<double> c) const;

 private:
  SortedQuery sorted_;
  double gamma_;
  std::vector<double> good_sum_, bad_sum_;  // prefix sums of the sorted scores
};

// Shared by all oracles with φ_po: in the ranking by score, good g has its natural column.
class PartialOrderOracle : public RankingOracle {
 public:
  void by_score(const OracleQuery& query, std::span<const double> scores,
                std::span<double> c) const override;
};

// The columns if bad j is above goods first[j] … n⁺ − 1, first non-decreasing.
std::vector<std::uint32_t> columns_from_bads(std::span<const std::uint32_t> first,
                                             std::size_t goods);

// For j = 0 … rows − 1 a k in [low, high] that maximises value(j, k), if the maximiser does not
// decrease with j: divide and conquer, O((rows + high − low) log rows).
template <class Function>
void monotone_argmax(std::size_t row_begin, std::size_t row_end, std::size_t low, std::size_t high,
                     std::span<std::uint32_t> best, const Function& value) {
  if (row_begin >= row_end) return;
  const std::size_t row = row_begin + (row_end - row_begin) / 2;
  std::size_t at = low;
  double top = value(row, low);
  for (std::size_t k = low + 1; k <= high; ++k) {
    const double v = value(row, k);
    if (v > top) {
      top = v;
      at = k;
    }
  }
  best[row] = static_cast<std::uint32_t>(at);
  monotone_argmax(row_begin, row, low, at, best, value);
  monotone_argmax(row + 1, row_end, at, high, best, value);
}

}  // namespace podium
