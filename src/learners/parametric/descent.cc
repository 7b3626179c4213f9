#include "learners/parametric/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "learners/parametric/query_batches.h"
#include "podium/error.h"
#include "solvers/adam.h"
#include "solvers/lbfgs.h"

namespace podium {
namespace {

constexpr std::uint64_t kShuffle = 0x73687566666c65;  // a stream of its own
constexpr double kExploded = 1e8;  // beyond the largest sensible weight of a standardised input
constexpr double kFlat = 1e-3;     // gradient, relative to the parameters, that counts as 0 where
                                   // rounding ends the search

}  // namespace

Termination Descent::run(Optimizer optimizer, std::vector<double>& parameters, std::uint64_t seed,
                         Tags tags) {
  tags_ = std::move(tags);
  progress_.begin_run(options_.epochs);
  if (optimizer == Optimizer::lbfgs) return run_lbfgs(parameters);
  if (optimizer == Optimizer::sgd)
    return run_batches(Momentum(parameters.size()), parameters, seed);
  return run_batches(Adam(parameters.size()), parameters, seed);
}

Termination Descent::end(Termination why) {
  progress_.end_run(TrainingProgress::RunEnd::regular);
  return why;
}

Termination Descent::diverge(std::string_view what, std::string_view cause) {
  const std::string message =
      fmt::format("iteration {}: {}; most likely {}", progress_.iterations() + 1, what, cause);
  if (progress_.iterations() == 0) throw Error(ErrorCode::training, message);
  context_.observer.note(message + "; the best model so far is kept");
  progress_.end_run(TrainingProgress::RunEnd::diverged);
  return Termination::numerical_limit;
}

Termination Descent::run_lbfgs(std::vector<double>& parameters) {
  std::optional<Termination> why;
  const auto report = minimize_lbfgs(
      [&](std::span<const double> x, std::span<double> gradient) {
        return objective_.evaluate(x, gradient);
      },
      parameters, {.max_iterations = options_.epochs, .tolerance = options_.tolerance},
      [&](const LbfgsPoint& point) {
        Tags values = tags_;
        values.emplace_back("gradient norm", point.gradient_norm);
        why = progress_.record(point.value, point.x, std::move(values));
        return why ? LbfgsGo::stop : LbfgsGo::on;
      });
  if (report.why == LbfgsStop::not_finite)
    return diverge("the loss is not finite",
                   "some features or scores have extreme values (--normalize)");
  if (report.iterations == 0) progress_.record(report.value, parameters, tags_);
  if (report.why == LbfgsStop::stopped) return end(*why);
  if (report.why == LbfgsStop::iteration_limit) return end(Termination::iteration_limit);
  if (report.why == LbfgsStop::converged) return end(Termination::converged);
  const double size =
      std::sqrt(std::inner_product(parameters.begin(), parameters.end(), parameters.begin(), 0.0));
  if (report.gradient_norm <= kFlat * std::max(size, 1.0)) return end(Termination::converged);
  context_.observer.note(
      fmt::format("iteration {}: no step down the gradient lowers the loss, which is not smooth "
                  "here: --optimizer adam does not need that",
                  progress_.iterations()));
  return end(Termination::numerical_limit);
}

template <class Stepper>
Descent::Epoch Descent::run_epoch(std::int64_t epoch,
                                  const std::vector<std::vector<std::size_t>>& batches,
                                  Stepper& stepper, std::vector<double>& parameters) {
  const std::string cause = fmt::format(
      "--learning-rate {} is too large, or some features have extreme values (--normalize)",
      options_.learning_rate);
  const Schedule schedule = choose_schedule(options_);
  std::vector<double> gradient(parameters.size());
  double sum = 0, used = 0;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const double value = objective_.evaluate(parameters, batches[b], gradient);
    const double norm = clip_norm(gradient, options_.clip);
    if (std::isnan(value) && norm == 0) continue;  // a batch that weighs nothing
    if (!std::isfinite(value) || !std::isfinite(norm))
      return {0, diverge("the loss or its gradient is no longer finite", cause)};
    sum += value;
    used += 1;
    const double done = static_cast<double>(b) / static_cast<double>(batches.size());
    const double progress =
        (static_cast<double>(epoch) + done) / static_cast<double>(options_.epochs);
    stepper.step(parameters, gradient, options_.learning_rate * schedule_share(schedule, progress));
    if (const auto why = progress_.interrupted()) {
      if (progress_.iterations() == 0) progress_.record(sum / used, parameters, tags_);
      return {0, end(*why)};
    }
  }
  for (const double p : parameters)
    if (!(std::abs(p) < kExploded))
      return {0, diverge(fmt::format("a weight has grown to {:.3g}", p), cause)};
  return {sum / std::max(used, 1.0), {}};
}

template <class Stepper>
Termination Descent::run_batches(Stepper stepper, std::vector<double>& parameters,
                                 std::uint64_t seed) {
  const QueryBatches batches(data_, objective_.queries(),
                             static_cast<std::size_t>(options_.batch_queries), context_);
  for (std::int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
    const auto order = batches.epoch(mix(seed ^ kShuffle, static_cast<std::uint64_t>(epoch)));
    const Epoch result = run_epoch(epoch, order, stepper, parameters);
    if (result.end) return *result.end;
    if (const auto why = progress_.record(result.objective, parameters, tags_)) return end(*why);
  }
  return end(Termination::iteration_limit);
}

}  // namespace podium
