#include "learners/boosting/boosted_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kQueryChunk = 16;
constexpr std::size_t kDocumentChunk = 16384;
constexpr double kSmallestCurvature = 1e-6;  // in units of the mean
constexpr int kConstantSteps = 100;
constexpr double kConstantTolerance = 1e-10, kFarthestStep = 2;

bool all_finite(std::span<const double> scores) {
  return std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); });
}

}  // namespace

BoostedScores::BoostedScores(const Dataset& data, const Loss& loss, Context& context)
    : data_(data),
      context_(context),
      bound_(loss.bind(data, context.comm)),
      weights_(loss.traits().weights),
      outputs_(bound_->link().outputs()),
      scores_(data.documents() * outputs_),
      first_(scores_.size()),
      second_(scores_.size()) {
  std::array<std::int64_t, 2> used = {};  // queries, documents
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!bound_->informative(q)) continue;
    used[0] += 1;
    used[1] += static_cast<std::int64_t>(data.end(q) - data.begin(q));
  }
  skipped_ = data.queries() - static_cast<std::size_t>(used[0]);
  context.comm.all_reduce_sum(used);
  if (used[0] == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query says anything to the loss {}: each has one document, or "
                            "documents of one grade only",
                            loss.name()));
  documents_ = static_cast<double>(used[1]);
}

// The loss, or the squared length of its frozen gradient.
double BoostedScores::evaluate_query(std::size_t q) {
  const std::size_t at = data_.begin(q) * outputs_;
  const std::size_t count = data_.end(q) * outputs_ - at;
  const auto scores = std::span<const double>(scores_).subspan(at, count);
  const auto first = std::span(first_).subspan(at, count);
  const auto second = std::span(second_).subspan(at, count);
  if (!all_finite(scores)) return std::numeric_limits<double>::quiet_NaN();
  if (weights_ == LossTraits::Weights::smooth)
    return bound_->evaluate(q, scores, {first, second, stop_inside(context_)});
  bound_->differentiate(q, scores, {first, second, stop_inside(context_)});
  return std::transform_reduce(first.begin(), first.end(), first.begin(), 0.0);
}

BoostedScores::Figure BoostedScores::evaluate() {
  std::vector<double> values(data_.queries());
  parallel_for(context_.pool, data_.queries(), kQueryChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q) values[q] = evaluate_query(q);
               });
  const double value = sum_over_ranks(values, context_.comm);
  if (!std::isfinite(value))
    throw Error(ErrorCode::training,
                "the loss is no longer finite: try a smaller ‹learning-rate› or a larger ‹l2›");
  if (weights_ == LossTraits::Weights::smooth) return {"objective", value};
  return {"gradient norm", std::sqrt(value)};
}

double BoostedScores::total(std::span<const double> values, std::size_t k) const {
  const ExactSum sum = parallel_reduce(
      context_.pool, data_.documents(), kDocumentChunk, ExactSum(),
      [&](std::size_t begin, std::size_t end) {
        ExactSum part;
        for (std::size_t i = begin; i < end; ++i) part += values[i * outputs_ + k];
        return part;
      },
      [](ExactSum& all, const ExactSum& part) { all += part; });
  return sum_over_ranks(sum, context_.comm);
}

BoostedScores::Column BoostedScores::column(std::size_t k, Scaling scaling) {
  const double sum = total(second_, k);
  const double mean = sum > 0 ? sum / documents_ : 1.0;
  const double floor = sum > 0 ? kSmallestCurvature * mean : 1.0;
  const double unit = scaling == Scaling::mean_curvature ? mean : 1.0;
  std::vector<double>& first = outputs_ == 1 ? first_ : column_first_;
  std::vector<double>& second = outputs_ == 1 ? second_ : column_second_;
  first.resize(data_.documents());
  second.resize(data_.documents());
  parallel_for(context_.pool, data_.documents(), kDocumentChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   first[i] = first_[i * outputs_ + k] / unit;
                   second[i] = std::max(second_[i * outputs_ + k], floor) / unit;
                 }
               });
  return {first, second, unit};
}

// Newton's step on each output, never far, and halved until the loss does not rise.
std::vector<double> BoostedScores::best_constants() {
  const bool has_value = weights_ == LossTraits::Weights::smooth;
  std::vector<double> constants(outputs_), change(outputs_);
  const auto move = [&](double share) {
    for (std::size_t k = 0; k < outputs_; ++k) constants[k] += share * change[k];
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += share * change[i % outputs_];
  };
  double value = evaluate().value;
  for (int step = 0; step < kConstantSteps; ++step) {
    for (std::size_t k = 0; k < outputs_; ++k) {
      const double curvature = total(second_, k);
      change[k] = curvature > 0
                      ? std::clamp(-total(first_, k) / curvature, -kFarthestStep, kFarthestStep)
                      : 0;
    }
    if (std::all_of(change.begin(), change.end(),
                    [](double c) { return std::abs(c) < kConstantTolerance; }))
      break;
    double share = 1;
    move(share);
    double moved = evaluate().value;
    while (has_value && moved > value && share > kConstantTolerance) {
      move(-0.5 * share);
      share *= 0.5;
      moved = evaluate().value;
    }
    value = moved;
  }
  return constants;
}

}  // namespace podium
