// What gradient trainers minimise:
//
//   F(w) = Σ_q L_q(s_q(w)) / Σ_q weight_q + ½ · weight decay · ‖w‖²     (biases are not decayed)
//
// over the queries that contribute to the loss, of all ranks or of one mini-batch. A query whose
// labels are all equal has no information about order: for losses of score differences (softmax,
// ListMLE) it would pull scores together, so it is left out. Each query's part does not depend on
// its rank, and the sums over queries depend on neither threads nor ranks.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "learners/parametric/scoring_function.h"
#include "podium/context.h"
#include "podium/loss.h"

namespace podium {

class ParametricObjective {
 public:
  // `offset`: added to the scores, one per document, or empty. Throws a usage Error for a loss with
  // several outputs per document, and a training Error if no query contributes.
  ParametricObjective(ScoringFunction& function, const Dataset& data, const Loss& loss,
                      std::span<const double> offset, Context& context);

  std::span<const std::size_t> queries() const noexcept { return queries_; }  // informative, here
  std::size_t skipped() const noexcept { return skipped_; }                   // on all ranks
  double weight() const noexcept { return weight_; }  // of the informative queries of all ranks
  void set_weight_decay(double decay) noexcept { decay_ = decay; }

  // F over these queries of this rank (and those of the other ranks), and its gradient. NaN, and a
  // gradient of 0, if their total weight is 0.
  double evaluate(std::span<const double> parameters, std::span<const std::size_t> queries,
                  std::span<double> gradient);
  double evaluate(std::span<const double> parameters, std::span<double> gradient) {
    return evaluate(parameters, queries_, gradient);
  }

 private:
  struct Part {  // buffers of a thread
    std::unique_ptr<ScoringFunction::Scratch> scratch;
    std::vector<double> scores, slope;
  };
  // The function's sums, then the value and the weight.
  void add_query(std::size_t q, Part& part, OrderFreeSums& sums) const;

  ScoringFunction& function_;
  const Dataset& data_;
  std::span<const double> offset_;
  Context& context_;
  std::unique_ptr<const BoundLoss> bound_;
  std::vector<std::size_t> queries_;
  std::vector<double> mask_;
  double weight_ = 0;
  std::size_t skipped_ = 0;
  double decay_ = 0;
};

}  // namespace podium
