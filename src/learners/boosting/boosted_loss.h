// The loss's side of boosting: its value and derivatives at the scores so far, which a TreeGrower
// holds. Sums over documents are exact, so that they depend neither on threads nor on ranks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/loss.h"
#include "trees/tree_grower.h"

namespace podium {

class BoostedLoss {
 public:
  BoostedLoss(const Dataset& data, const Loss& loss, Context& context);

  const BoundLoss& bound() const noexcept { return *bound_; }
  std::size_t outputs() const noexcept { return outputs_; }  // per document
  std::size_t skipped() const noexcept { return skipped_; }  // queries of this rank
  // In informative queries, over all ranks.
  double documents() const noexcept { return documents_; }

  // Fills the grower's derivatives. Returns what to log, over all ranks' queries: the loss, or the
  // gradient's length where the weights are frozen, so that no loss has these derivatives. Throws
  // Stopped, in a group of one, when a stop request comes inside a long list.
  struct Figure {
    std::string_view name;
    double value = 0;
  };
  Figure evaluate(TreeGrower& grower) const;

  // Moves what the loss estimates (LossState), if it has any, to the new scores; `values` become
  // its values.
  void advance(TreeGrower& grower, std::vector<double>& values) const;

  // Moves the scores by the constants, one per output, that minimise the loss, and returns them.
  std::vector<double> best_constants(TreeGrower& grower) const;

 private:
  double evaluate_query(std::size_t q, std::span<const double> scores,
                        const TreeGrower::DerivativeBuffers& derivatives) const;

  const Dataset& data_;
  Context& context_;
  std::unique_ptr<const BoundLoss> bound_;
  LossTraits::Weights weights_;
  std::size_t outputs_ = 1;
  std::size_t skipped_ = 0;
  double documents_ = 0;
};

}  // namespace podium
