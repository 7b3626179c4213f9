// The training data's side of boosting: the outputs of the forest so far, and the loss's
// derivatives there. Sums over documents are exact, so that they depend neither on threads nor on
// ranks.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/loss.h"

namespace podium {

class BoostedScores {
 public:
  BoostedScores(const Dataset& data, const Loss& loss, Context& context);

  const BoundLoss& loss() const noexcept { return *bound_; }
  std::size_t outputs() const noexcept { return outputs_; }
  std::size_t skipped() const noexcept { return skipped_; }
  std::span<double> scores() noexcept { return scores_; }  // outputs() a document

  // Fills the derivatives. Returns what to log, over all ranks' queries: the loss, or the
  // gradient's length where the weights are frozen, so that no loss has these derivatives. Throws
  // Stopped, in a group of one, when a stop request comes inside a long list.
  struct Figure {
    std::string_view name;
    double value = 0;
  };
  Figure evaluate();

  // The derivatives of output k for a tree, with curvatures floored (all 1 where the loss has
  // none). Newton's are divided by the mean curvature, so that penalties mean the same for every
  // loss and round. Valid until the next call.
  enum class Scaling { none, mean_curvature };
  struct Column {
    std::span<const double> first, second;
    double unit = 1;  // what they were divided by
  };
  Column column(std::size_t k, Scaling scaling);

  // Moves the scores by the constants, one per output, at which the loss is least, and returns
  // them.
  std::vector<double> best_constants();

 private:
  double total(std::span<const double> values, std::size_t k) const;
  double evaluate_query(std::size_t q);

  const Dataset& data_;
  Context& context_;
  std::unique_ptr<const BoundLoss> bound_;
  LossTraits::Weights weights_;
  std::size_t outputs_ = 1;
  std::size_t skipped_ = 0;
  double documents_ = 0;                         // in informative queries, over all ranks
  std::vector<double> scores_, first_, second_;  // outputs_ a document
  std::vector<double> column_first_, column_second_;
};

}  // namespace podium
