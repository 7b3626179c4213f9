#include "learners/parametric/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/random.h"
#include "learners/parametric/query_batches.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kShuffle = 0x73687566666c65;  // a separate random stream
constexpr double kExploded = 1e8;  // no sensible weight of a standardised input is larger
constexpr double kFlat = 1e-3;     // gradient, relative to the parameters, that counts as 0 if
                                   // rounding ends the search

}  // namespace

Termination Descent::run(Optimizer optimizer, std::uint64_t seed, Tags tags) {
  tags_ = std::move(tags);
  if (state_.stage == DescentState::Stage::fresh) {
    const std::size_t size = state_.parameters.size();
    progress_.begin_run(options_.epochs);
    if (optimizer == Optimizer::lbfgs) state_.lbfgs.x = state_.parameters;
    if (optimizer == Optimizer::adam) state_.adam = Adam(size);
    if (optimizer == Optimizer::sgd) state_.momentum = Momentum(size);
    state_.stage = DescentState::Stage::under_way;
  }
  try {
    if (optimizer == Optimizer::lbfgs) return run_lbfgs();
    return optimizer == Optimizer::sgd ? run_batches(state_.momentum, seed)
                                       : run_batches(state_.adam, seed);
  } catch (const Stopped&) {  // within a step, which the state does not include
    if (optimizer != Optimizer::lbfgs || (state_.lbfgs.iterations > 0 && !recording_))
      keep(Termination::stopped);
    if (!progress_.has_point() && state_.used > 0)
      progress_.record(state_.sum / state_.used, state_.parameters, tags_);
    if (!progress_.has_point()) throw;
    return end(Termination::stopped);
  }
}

void Descent::keep(std::optional<Termination> why) {
  if (!why)
    keeper_(Keep::if_due);
  else if (*why == Termination::stopped)
    keeper_(Keep::now);
}

Termination Descent::end(Termination why) {
  progress_.end_run(TrainingProgress::RunEnd::regular);
  return why;
}

Termination Descent::diverge(std::string_view what, std::string_view cause) {
  const std::string message =
      fmt::format("iteration {}: {}; most likely {}", progress_.iterations() + 1, what, cause);
  if (!progress_.has_point()) throw Error(ErrorCode::training, message);
  context_.observer.note(message + "; the best model so far is kept");
  progress_.end_run(TrainingProgress::RunEnd::diverged);
  return Termination::numerical_limit;
}

Termination Descent::run_lbfgs() {
  std::optional<Termination> why;
  LbfgsState& state = state_.lbfgs;
  const LbfgsStop end_of_search =
      minimize_lbfgs([&](std::span<const double> x,
                         std::span<double> gradient) { return objective_.evaluate(x, gradient); },
                     state, {.max_iterations = options_.epochs, .tolerance = options_.tolerance},
                     [&](const LbfgsState& point) {
                       Tags values = tags_;
                       values.emplace_back("gradient norm", point.gradient_norm);
                       recording_ = true;
                       why = progress_.record(point.value, point.x, std::move(values));
                       recording_ = false;
                       keep(why);
                       return why ? LbfgsGo::stop : LbfgsGo::on;
                     });
  state_.parameters = state.x;
  if (end_of_search == LbfgsStop::not_finite)
    return diverge("the loss is not finite",
                   "some features or scores have extreme values (‹normalize›)");
  if (state.iterations == 0) progress_.record(state.value, state.x, tags_);
  if (end_of_search == LbfgsStop::stopped) return end(*why);
  if (end_of_search == LbfgsStop::iteration_limit) return end(Termination::iteration_limit);
  if (end_of_search == LbfgsStop::converged) return end(Termination::converged);
  const double size =
      std::sqrt(std::inner_product(state.x.begin(), state.x.end(), state.x.begin(), 0.0));
  if (state.gradient_norm <= kFlat * std::max(size, 1.0)) return end(Termination::converged);
  context_.observer.note(
      fmt::format("iteration {}: no step down the gradient lowers the loss, which is not smooth "
                  "here: ‹optimizer adam› does not need that",
                  progress_.iterations()));
  return end(Termination::numerical_limit);
}

template <class Stepper>
std::optional<Termination> Descent::run_epoch(const std::vector<std::vector<std::size_t>>& batches,
                                              Stepper& stepper) {
  const std::string cause = fmt::format(
      "‹learning-rate {}› is too large, or some features have extreme values (‹normalize›)",
      options_.learning_rate);
  std::vector<double>& parameters = state_.parameters;
  std::vector<double> gradient(parameters.size());
  while (state_.batch < batches.size()) {
    const double done = static_cast<double>(state_.batch) / static_cast<double>(batches.size());
    const double value = objective_.evaluate(parameters, batches[state_.batch], gradient);
    ++state_.batch;
    const double norm = clip_norm(gradient, options_.clip);
    if (std::isnan(value) && norm == 0) continue;  // a batch without weight
    if (!std::isfinite(value) || !std::isfinite(norm))
      return diverge("the loss or its gradient is no longer finite", cause);
    state_.sum += value;
    state_.used += 1;
    const double progress =
        (static_cast<double>(state_.epoch) + done) / static_cast<double>(options_.epochs);
    stepper.step(parameters, gradient,
                 options_.learning_rate * schedule_share(options_.schedule, progress));
    const auto why = progress_.interrupted();
    keep(why);
    if (!why) continue;
    if (!progress_.has_point()) progress_.record(state_.sum / state_.used, parameters, tags_);
    return end(*why);
  }
  for (const double p : parameters)
    if (!(std::abs(p) < kExploded))
      return diverge(fmt::format("a weight has grown to {:.3g}", p), cause);
  return {};
}

template <class Stepper>
Termination Descent::run_batches(Stepper& stepper, std::uint64_t seed) {
  const QueryBatches batches(data_, objective_.queries(),
                             static_cast<std::size_t>(options_.batch_queries), context_);
  while (state_.epoch < options_.epochs) {
    const auto number = static_cast<std::uint64_t>(state_.epoch);
    if (const auto why = run_epoch(batches.epoch(mix(seed ^ kShuffle, number)), stepper))
      return *why;
    const double mean = state_.sum / std::max(state_.used, 1.0);
    const auto why = progress_.record(mean, state_.parameters, tags_);
    ++state_.epoch;
    state_.batch = 0;
    state_.sum = state_.used = 0;
    keep(why);
    if (why) return end(*why);
  }
  return end(Termination::iteration_limit);
}

}  // namespace podium
