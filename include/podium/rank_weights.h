// Weights of pairs of documents that depend on the current ranking: the factors of the pair
// function in a λ-rule. Measure::swap_weights() returns those that are |value after swapping the
// two − value before|.
//
// Life of a query: factor(ideal labels) once, when the loss is bound → rank(labels in the current
// order, factor) at each evaluation → row(pivot, …) for each of the first ranks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "podium/stop.h"

namespace podium {

// Rows of weights are written in blocks of this size.
inline constexpr std::size_t kWeightBlock = 8;

// The weights of one ranking.
class RankedWeights {
 public:
  virtual ~RankedWeights() = default;
  // weight[j] for the pairs of ranks (pivot, j), pivot < j < the number of documents; pivot is
  // below depth(). Places begin … end − 1 (multiples of kWeightBlock around those) may all be
  // written. Weights that take long check `stop`.
  virtual void row(std::size_t pivot, std::size_t begin, std::size_t end, double* weight,
                   StopCheck stop) const = 0;
};

class RankWeights {
 public:
  virtual ~RankWeights() = default;
  // The factor of all weights that depends only on the labels; nullopt: the query contributes
  // nothing.
  virtual std::optional<double> factor(std::span<const float> ideal) const = 0;
  // For at least one document. `by_rank` must outlive the result.
  virtual std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                                    double factor) const = 0;
  // Pairs of two ranks from this one on have weight 0.
  virtual std::size_t depth() const = 0;
};

}  // namespace podium
