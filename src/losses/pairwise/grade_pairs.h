// Pair weights that depend only on the labels: every pair of different grades has weight 1, or the
// difference of its grades, times the weights of the two documents. Documents are in descending
// order of grade, so that the worse partners of a document are one range after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "losses/pairwise/pair_options.h"
#include "losses/pairwise/pairwise.h"

namespace podium {

class GradePairs {
 public:
  GradePairs(const Dataset& data, PairWeight weight, PairScale scale);

  bool informative(std::size_t q) const { return scale_[q] > 0; }
  // The query's weight; divided by its number of pairs for averages.
  double scale(std::size_t q) const { return scale_[q]; }
  std::span<const std::uint32_t> order(std::size_t q) const {
    return std::span(order_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  // The same of all queries.
  std::span<const double> scale() const { return scale_; }
  std::span<const std::uint32_t> order() const { return order_; }

  // The rows of one query, for sum_pairs().
  class Rows {
   public:
    Rows(const GradePairs& pairs, std::size_t q, PairArrays& arrays);
    std::size_t pivots() const noexcept { return pivots_; }
    void row(std::size_t pivot, PairRow& row);

   private:
    void fill_weights(std::size_t pivot);

    PairArrays& arrays_;
    std::span<const float> weights_;  // of the query's documents; empty: all 1
    PairWeight kind_;
    std::size_t pivots_;         // documents above the lowest grade
    std::size_t group_end_ = 0;  // after the last document of the pivot's grade
  };

 private:
  const Dataset& data_;
  PairWeight weight_;
  std::vector<std::uint32_t> order_;
  std::vector<double> scale_;
};

}  // namespace podium
