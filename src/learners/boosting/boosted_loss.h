// The loss's side of boosting: its value and derivatives at the scores so far, which a TreeGrower
// holds. Sums over documents are exact, so that they depend neither on threads nor on ranks. The
// grower keeps documents as they are stored; the loss sees each query in the order of its content
// (data/content.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "learners/boosting/score_noise.h"
#include "losses/device/device_loss.h"
#include "podium/context.h"
#include "podium/loss.h"
#include "trees/tree_grower.h"

namespace podium {

// What boosting adds to the loss.
struct LossView {
  std::vector<double> query_counts = {};  // how often each query counts; empty: once
  std::optional<ScoreNoise> noise = {};
};

class BoostedLoss {
 public:
  BoostedLoss(const Dataset& data, const Loss& loss, LossView view, Context& context);

  const BoundLoss& bound() const noexcept { return *bound_; }
  std::size_t outputs() const noexcept { return outputs_; }  // per document
  std::size_t skipped() const noexcept { return skipped_; }  // queries of this rank
  // Whether a query takes part in training.
  bool counts(std::size_t q) const {
    return bound_->informative(q) && (view_.query_counts.empty() || view_.query_counts[q] > 0);
  }
  // In informative queries, over all ranks.
  double documents() const noexcept { return documents_; }

  // From now on evaluates in the memory of the grower's device, if it has one and there is code for
  // the loss; if there is none, a note says so.
  void use_device(TreeGrower& grower);

  // Fills the grower's derivatives. Returns what to log, over all ranks' queries: the loss, or the
  // gradient's length where the weights are frozen, so that no loss has these derivatives. Throws
  // Stopped, in a group of one, when a stop request comes inside a long list.
  struct Figure {
    std::string_view name;
    double value = 0;
  };
  // `round` from 1: the noise of this round; 0: without noise.
  Figure evaluate(TreeGrower& grower, std::int64_t round) const;
  // The same, on the CPU: the derivatives are in grower.derivatives().
  Figure evaluate_on_host(TreeGrower& grower, std::int64_t round) const;

  // Moves what the loss estimates (LossState), if it has any, to the new scores; `values` become
  // its values.
  void advance(TreeGrower& grower, std::vector<double>& values) const;

  // Moves the scores by the constants, one per output, that minimise the loss, and returns them.
  std::vector<double> best_constants(TreeGrower& grower) const;

 private:
  struct QueryView {
    std::size_t q;
    std::span<const double> scores;
    std::span<double> first, second;
  };
  // Of one query, in the loss's order of rows.
  struct Outputs {
    std::vector<double> scores, first, second;
  };
  Figure figure(const ExactSum& mine) const;
  double evaluate_stored(const QueryView& query, std::int64_t round, Outputs& ordered) const;
  double evaluate_query(const QueryView& query, std::int64_t round) const;
  double derive(const QueryView& query) const;
  double derive_noisy(const QueryView& query, std::int64_t round) const;

  const Dataset& data_;
  Dataset labels_;  // in the order of content, for the loss
  LossView view_;
  Context& context_;
  std::string name_;
  std::unique_ptr<const BoundLoss> bound_;
  std::unique_ptr<DeviceLoss> on_device_;
  LossTraits::Weights weights_;
  std::size_t outputs_ = 1;
  std::size_t skipped_ = 0;
  double documents_ = 0;
};

}  // namespace podium
