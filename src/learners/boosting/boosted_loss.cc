#include "learners/boosting/boosted_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "data/content.h"
#include "distributed/over_ranks.h"
#include "learners/label_check.h"
#include "losses/device/squared_length.h"
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

BoostedLoss::BoostedLoss(const Dataset& data, const Loss& loss, LossView view, Context& context)
    : data_(data),
      labels_(labels_in_content_order(data)),
      view_(std::move(view)),
      context_(context),
      name_(loss.name()),
      bound_(loss.bind(labels_, context.comm)),
      weights_(loss.traits().weights),
      outputs_(bound_->link().outputs()) {
  std::array<std::int64_t, 2> used = {};  // queries, documents
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!counts(q)) continue;
    used[0] += 1;
    used[1] += static_cast<std::int64_t>(data.end(q) - data.begin(q));
  }
  skipped_ = data.queries() - static_cast<std::size_t>(used[0]);
  context.comm.all_reduce_sum(used);
  if (used[0] == 0) throw Error(ErrorCode::training, why_no_query(data, loss, context.comm));
  documents_ = static_cast<double>(used[1]);
}

void BoostedLoss::use_device(TreeGrower& grower) {
  const auto at = grower.on_device();
  if (!at) return;
  const DataContent* const content = data_.content();
  const DeviceLossSite site{
      .queue = *at->queue,
      .query_begin = data_.query_begin(),
      .row_order = content ? std::span(content->row_order) : std::span<const std::uint32_t>(),
      .query_counts = view_.query_counts};
  if (!view_.noise) on_device_ = bound_->on_device(site);
  if (on_device_) return;
  context_.observer.note(
      fmt::format("{} is computed on the CPU, the trees on the device",
                  view_.noise ? "a loss with ‹noise›" : fmt::format("the loss {}", name_)));
}

// Writes the derivatives; returns the loss if it has one.
double BoostedLoss::derive(const QueryView& query) const {
  const Derivatives out{query.first, query.second, stop_inside(context_)};
  if (weights_ == LossTraits::Weights::smooth) return bound_->evaluate(query.q, query.scores, out);
  bound_->differentiate(query.q, query.scores, out);
  return 0;
}

// The same, averaged over the draws.
double BoostedLoss::derive_noisy(const QueryView& query, std::int64_t round) const {
  const std::size_t n = query.scores.size();
  std::vector<double> buffer(3 * n);
  const std::span<double> scores(buffer.data(), n), first(buffer.data() + n, n),
      second(buffer.data() + 2 * n, n);
  std::fill(query.first.begin(), query.first.end(), 0.0);
  std::fill(query.second.begin(), query.second.end(), 0.0);
  const double share = 1.0 / static_cast<double>(view_.noise->draws());
  double value = 0;
  for (std::int64_t draw = 0; draw < view_.noise->draws(); ++draw) {
    view_.noise->perturb(round, draw, data_.begin(query.q), query.scores, scores);
    value += share * derive({query.q, scores, first, second});
    for (std::size_t i = 0; i < n; ++i) {
      query.first[i] += share * first[i];
      query.second[i] += share * second[i];
    }
  }
  return value;
}

// The loss, or the squared length of its frozen gradient.
double BoostedLoss::evaluate_query(const QueryView& query, std::int64_t round) const {
  if (!all_finite(query.scores)) return std::numeric_limits<double>::quiet_NaN();
  double value = view_.noise && round > 0 ? derive_noisy(query, round) : derive(query);
  if (!view_.query_counts.empty()) {
    const double count = view_.query_counts[query.q];
    value *= count;
    for (double& d : query.first) d *= count;
    for (double& d : query.second) d *= count;
  }
  if (weights_ == LossTraits::Weights::smooth) return value;
  return squared_length(query.first.data(), query.first.size());
}

// The derivatives are written in the order in which the documents are stored.
double BoostedLoss::evaluate_stored(const QueryView& query, std::int64_t round,
                                    Outputs& ordered) const {
  const auto order = data_.row_order(query.q);
  if (order.empty()) return evaluate_query(query, round);
  for (std::vector<double>* const part : {&ordered.scores, &ordered.first, &ordered.second})
    part->resize(query.scores.size());
  const auto each = [&](auto&& use) {
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t k = 0; k < outputs_; ++k) use(order[i] * outputs_ + k, i * outputs_ + k);
  };
  each([&](std::size_t stored, std::size_t to) { ordered.scores[to] = query.scores[stored]; });
  const double value =
      evaluate_query({query.q, ordered.scores, ordered.first, ordered.second}, round);
  each([&](std::size_t stored, std::size_t from) {
    query.first[stored] = ordered.first[from];
    query.second[stored] = ordered.second[from];
  });
  return value;
}

BoostedLoss::Figure BoostedLoss::evaluate(TreeGrower& grower, std::int64_t round) const {
  if (!on_device_) return evaluate_on_host(grower, round);
  const WorkPhase phase(context_.pool, "derivatives");
  const auto at = grower.on_device();
  return figure(on_device_->evaluate({at->scores, at->first, at->second}));
}

BoostedLoss::Figure BoostedLoss::evaluate_on_host(TreeGrower& grower, std::int64_t round) const {
  const WorkPhase phase(context_.pool, "derivatives");
  const auto scores = grower.scores();
  const auto derivatives = grower.derivatives();
  std::vector<double> values(data_.queries());
  parallel_for(
      context_.pool, data_.queries(), kQueryChunk, [&](std::size_t begin, std::size_t end) {
        Outputs ordered;
        for (std::size_t q = begin; q < end; ++q) {
          const std::size_t at = data_.begin(q) * outputs_;
          const std::size_t count = data_.end(q) * outputs_ - at;
          values[q] =
              evaluate_stored({q, scores.subspan(at, count), derivatives.first.subspan(at, count),
                               derivatives.second.subspan(at, count)},
                              round, ordered);
        }
      });
  ExactSum mine;
  for (const double value : values) mine += value;
  return figure(mine);
}

BoostedLoss::Figure BoostedLoss::figure(const ExactSum& mine) const {
  const double value = sum_over_ranks(mine, context_.comm);
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
  state->advance(in_content_order(data_, grower.scores()), context_.pool, context_.comm);
  values = state->values();
}

// Newton's step on each output, never far, and halved until the loss does not rise. On the CPU: it
// is done once, and the sums of derivatives are needed here.
std::vector<double> BoostedLoss::best_constants(TreeGrower& grower) const {
  const bool has_value = weights_ == LossTraits::Weights::smooth;
  std::vector<double> constants(outputs_), change(outputs_);
  std::vector<double> scores(grower.scores().begin(), grower.scores().end());
  const auto move = [&](double share) {
    for (std::size_t k = 0; k < outputs_; ++k) constants[k] += share * change[k];
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += share * change[i % outputs_];
    grower.set_scores(scores);
  };
  double value = evaluate_on_host(grower, 0).value;
  for (int step = 0; step < kConstantSteps; ++step) {
    const auto derivatives = grower.derivatives();
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double curvature = output_total(derivatives.second, outputs_, k, context_);
      const double slope = output_total(derivatives.first, outputs_, k, context_);
      change[k] = curvature > 0 ? std::clamp(-slope / curvature, -kFarthestStep, kFarthestStep) : 0;
    }
    double farthest = 0;
    for (const double c : change) farthest = std::max(farthest, std::abs(c));
    if (farthest < kConstantTolerance) break;
    double share = 1;
    move(share);
    double moved = evaluate_on_host(grower, 0).value;
    while (has_value && moved > value && share * farthest > kConstantTolerance) {
      move(-0.5 * share);
      share *= 0.5;
      moved = evaluate_on_host(grower, 0).value;
    }
    if (has_value && moved > value) break;  // near the optimum, where the loss is its rounding
    value = moved;
  }
  return constants;
}

}  // namespace podium
