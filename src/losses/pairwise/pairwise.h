// Losses over pairs of documents of different grades of one query,
//   L = scale · Σ_{y_i > y_j} w_ij φ(σ(s_i − s_j)),
// as a pair function φ times pair weights w. The documents are put into an order that suits the
// weights (by grade, or by rank); row i of the sum is document i with all documents after it,
// evaluated in blocks of kPairBlock pairs, with O(n) memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "losses/pairwise/pair_kernels.h"
#include "podium/loss.h"

namespace podium {

// The kernels from powers multiply those of two documents: all stay within e^± this.
inline constexpr double kLargestExponent = 150;

struct PairFunction {
  PairRowKernel kernel;
  PairShape shape;
  // The same function from e^{σs}, for scores that are not too far apart; may be null.
  PairRowKernel from_powers = nullptr;
};

// One query's documents in the order of the weights: arrays by position, padded to whole blocks.
class PairArrays {
 public:
  PairArrays(std::span<const std::uint32_t> order, std::span<const float> labels,
             std::span<const double> scores, double sigma);

  std::size_t documents() const noexcept { return order_.size(); }
  std::size_t padded() const noexcept { return padded_; }
  std::span<const double> scores() const { return part(0); }  // times σ
  std::span<const double> grades() const { return part(1); }
  std::span<double> weight() { return part(2); }
  std::span<double> first() { return part(3); }
  std::span<double> second() { return part(4); }
  std::uint32_t document(std::size_t place) const { return order_[place]; }

  // e^{σ(s − middle)}, or null if the scores are too far apart for that.
  const double* powers();

  // The derivatives by the documents' scores, times `scale`, into `out`.
  void scatter(double scale, Derivatives out) const;

 private:
  std::span<double> part(std::size_t which) {
    return std::span(storage_).subspan(which * padded_, padded_);
  }
  std::span<const double> part(std::size_t which) const {
    return std::span(storage_).subspan(which * padded_, padded_);
  }

  std::span<const std::uint32_t> order_;
  double sigma_;
  std::size_t padded_;
  std::vector<double> storage_;  // scores, grades, weights, first, second, powers
};

// Sums all rows. Weights have pivots(), and row(pivot, PairRow&), which sets the row's begin and
// weights.
template <class Weights>
RowSums sum_pairs(const PairFunction& function, Weights& weights, PairArrays& arrays,
                  StopCheck stop) {
  PairRow row{};
  row.score = arrays.scores().data();
  row.grade = arrays.grades().data();
  row.first = arrays.first().data();
  row.second = arrays.second().data();
  row.end = arrays.padded();
  if (function.from_powers) row.power = arrays.powers();
  const PairRowKernel kernel = row.power ? function.from_powers : function.kernel;
  RowSums total;
  for (std::size_t pivot = 0; pivot < weights.pivots(); ++pivot) {
    stop();
    row.pivot = pivot;
    weights.row(pivot, row);
    const RowSums sums = kernel(row, function.shape);
    total.value += sums.value;
    total.force += sums.force;
  }
  return total;
}

}  // namespace podium
