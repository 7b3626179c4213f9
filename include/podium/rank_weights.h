// Weights of pairs of documents that depend on the current ranking: what a λ-rule multiplies the
// pair function with. Measure::swap_weights() gives those that are |value after swapping the two −
// value before|.
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

// Rows of weights are written in blocks of so many.
inline constexpr std::size_t kWeightBlock = 8;

// The weights of one ranking.
class RankedWeights {
 public:
  virtual ~RankedWeights() = default;
  // weight[j] for the pairs of ranks (pivot, j), pivot < j < the number of documents; pivot is
  // below depth(). Places begin … end − 1 (multiples of kWeightBlock around those) may all be
  // written. Weights that take long ask `stop` on the way.
  virtual void row(std::size_t pivot, std::size_t begin, std::size_t end, double* weight,
                   StopCheck stop) const = 0;
};

class RankWeights {
 public:
  virtual ~RankWeights() = default;
  // What the labels alone settle, as one factor of all weights; nullopt: the query contributes
  // nothing.
  virtual std::optional<double> factor(std::span<const float> ideal) const = 0;
  // Of one document at least. `by_rank` must outlive what is returned.
  virtual std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                                    double factor) const = 0;
  // Pairs of two ranks from here on weigh nothing.
  virtual std::size_t depth() const = 0;
};

}  // namespace podium
