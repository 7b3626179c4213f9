// Weights of pairs of documents that depend on the current ranking: the factors of the pair
// function in a λ-rule. Measure::swap_weights() returns those that are |value after swapping the
// two − value before|.
//
// Life of a query: factor(ideal labels) once, when the loss is bound → rank(labels in the current
// order, factor) at each evaluation → row(pivot, …) for each of the first ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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

// The same weights as numbers that do not depend on the ranking, for devices on which RankedWeights
// cannot run (src/losses/device/). With a term t of each document and d of each rank, the weight of
// ranks p < j is
//
//   product            |(t_p − t_j) · (d_p − d_j)|
//   distance           |t_p − t_j| · (|d_p − d_j| + e_{j − p})
//   average_precision  |ΔAP| and |ΔRR|, where t is 1 for relevant documents, 0 for others, and d
//   reciprocal_rank    the inverse of a rank (measures/*_swap_weights.cc)
struct WeightForm {
  enum class Kind : std::uint8_t { product, distance, average_precision, reciprocal_rank };

  Kind kind = Kind::product;
  std::vector<double> of_rank = {};      // d; 0 from depth() on
  std::vector<double> of_distance = {};  // e
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

  // For lists of up to `longest` documents; nullopt: these weights have none.
  virtual std::optional<WeightForm> form(std::size_t longest) const;
  // The terms of a query's documents, whose labels are in any order; only for weights with a form.
  virtual std::vector<double> terms(std::span<const float> labels, double factor) const;
};

}  // namespace podium
