#include "learners/boosting/boosted_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "learners/label_check.h"
#include "podium/error.h"
#include "trees/derivative_scale.h"

namespace podium {
namespace {

constexpr std::size_t kQueryChunk = 8;
constexpr int kConstantSteps = 100;
constexpr double kConstantTolerance = 1e-10, kFarthestStep = 2;

bool all_finite(std::span<const double> scores) {
  return std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); });
}

}  // namespace

BoostedLoss::BoostedLoss(const Dataset& data, const Loss& loss, Context& context)
    : data_(data),
      context_(context),
      bound_(loss.bind(data, context.comm)),
      weights_(loss.traits().weights),
      outputs_(bound_->link().outputs()) {
  std::array<std::int64_t, 2> used = {};  // queries, documents
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!bound_->informative(q)) continue;
    used[0] += 1;
    used[1] += static_cast<std::int64_t>(data.end(q) - data.begin(q));
  }
  skipped_ = data.queries() - static_cast<std::size_t>(used[0]);
  context.comm.all_reduce_sum(used);
  if (used[0] == 0) throw Error(ErrorCode::training, why_no_query(data, loss, context.comm));
  documents_ = static_cast<double>(used[1]);
}

// The loss, or the squared length of its frozen gradient.
double BoostedLoss::evaluate_query(std::size_t q, std::span<const double> all,
                                   const TreeGrower::DerivativeBuffers& derivatives) const {
  const std::size_t at = data_.begin(q) * outputs_;
  const std::size_t count = data_.end(q) * outputs_ - at;
  const auto scores = all.subspan(at, count);
  const auto first = derivatives.first.subspan(at, count);
  const auto second = derivatives.second.subspan(at, count);
  if (!all_finite(scores)) return std::numeric_limits<double>::quiet_NaN();
  if (weights_ == LossTraits::Weights::smooth)
    return bound_->evaluate(q, scores, {first, second, stop_inside(context_)});
  bound_->differentiate(q, scores, {first, second, stop_inside(context_)});
  return std::transform_reduce(first.begin(), first.end(), first.begin(), 0.0);
}

BoostedLoss::Figure BoostedLoss::evaluate(TreeGrower& grower) const {
  const WorkPhase phase(context_.pool, "derivatives");
  const auto scores = grower.scores();
  const auto derivatives = grower.derivatives();
  std::vector<double> values(data_.queries());
  parallel_for(context_.pool, data_.queries(), kQueryChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q)
                   values[q] = evaluate_query(q, scores, derivatives);
               });
  const double value = sum_over_ranks(values, context_.comm);
  if (!std::isfinite(value))
    throw Error(ErrorCode::training,
                "the loss is no longer finite: try a smaller ‹learning-rate› or a larger ‹l2›");
  if (weights_ == LossTraits::Weights::smooth) return {"objective", value};
  return {"gradient norm", std::sqrt(value)};
}

void BoostedLoss::advance(TreeGrower& grower, std::vector<double>& values) const {
  LossState* const state = bound_->state();
  if (!state) return;
  const WorkPhase phase(context_.pool, "state of the loss");
  state->advance(grower.scores(), context_.pool, context_.comm);
  values = state->values();
}

// Newton's step on each output, never far, and halved until the loss does not rise.
std::vector<double> BoostedLoss::best_constants(TreeGrower& grower) const {
  const bool has_value = weights_ == LossTraits::Weights::smooth;
  std::vector<double> constants(outputs_), change(outputs_);
  std::vector<double> scores(grower.scores().begin(), grower.scores().end());
  const auto move = [&](double share) {
    for (std::size_t k = 0; k < outputs_; ++k) constants[k] += share * change[k];
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += share * change[i % outputs_];
    grower.set_scores(scores);
  };
  double value = evaluate(grower).value;
  for (int step = 0; step < kConstantSteps; ++step) {
    const auto derivatives = grower.derivatives();
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double curvature = output_total(derivatives.second, outputs_, k, context_);
      const double slope = output_total(derivatives.first, outputs_, k, context_);
      change[k] = curvature > 0 ? std::clamp(-slope / curvature, -kFarthestStep, kFarthestStep) : 0;
    }
    if (std::all_of(change.begin(), change.end(),
                    [](double c) { return std::abs(c) < kConstantTolerance; }))
      break;
    double share = 1;
    move(share);
    double moved = evaluate(grower).value;
    while (has_value && moved > value && share > kConstantTolerance) {
      move(-0.5 * share);
      share *= 0.5;
      moved = evaluate(grower).value;
    }
    value = moved;
  }
  return constants;
}

}  // namespace podium
