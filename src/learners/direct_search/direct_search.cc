#include "learners/direct_search/direct_search.h"

#include <algorithm>
#include <cmath>

#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kDirectQueryChunk = 16;
constexpr int kGradientSteps = 10;
constexpr double kMeanRounding = 1e-12;  // of a measure's mean
// Weights beyond these limits are rescaled to about 1.
constexpr double kLargeWeight = 0x1p40, kSmallWeight = 0x1p-40;

double largest_size(std::span<const double> values) {
  double size = 0;
  for (const double x : values) size = std::max(size, std::abs(x));
  return size;
}

double norm(std::span<const double> values) {
  const double size = largest_size(values);
  if (!(size > 0)) return 0;
  double sum = 0;
  for (const double x : values) sum += (x / size) * (x / size);
  return size * std::sqrt(sum);
}

// Scales to length 1; false if the vector is 0.
bool normalize(std::span<double> values) {
  const double length = norm(values);
  if (!(length > 0) || !std::isfinite(length)) return false;
  for (double& x : values) x /= length;
  return true;
}

}  // namespace

SearchSpace::SearchSpace(const Dataset& data, MeasurePtr measure, const Convention& convention,
                         const Loss* loss, const DirectSearchOptions& options, Context& context)
    : data_(data),
      measure_(measure),
      convention_(convention),
      options_(options),
      columns_(data, context),
      step_(data, measure, convention, options.step, context) {
  if (!loss) return;
  loss_ = loss->bind(data, context.comm);
  if (loss_->link().outputs() != 1)
    throw Error(ErrorCode::usage,
                "the loss " + loss->name() +
                    " has several outputs per document, and a direction needs one");
}

double SearchSpace::evaluate(std::span<const double> scores, Context& context) const {
  // Without the stop token: a climb that is stopped still needs the value of its current point.
  Context patient = context;
  patient.stop = {};
  return podium::evaluate(measure_, convention_, data_, scores, patient);
}

std::vector<double> SearchSpace::descent(std::span<const double> scores, Context& context) const {
  const StopCheck stop = stop_inside(context);
  std::vector<double> first(scores.size());
  parallel_for(context.pool, data_.queries(), kDirectQueryChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q) {
                   const std::size_t at = data_.begin(q), count = data_.end(q) - at;
                   loss_->evaluate(q, scores.subspan(at, count),
                                   {std::span(first).subspan(at, count), {}, stop});
                 }
               });
  std::vector<double> gradient = weighted_sum(data_, first, context);
  columns_.rescale(gradient);
  std::vector<double> down(gradient.size());
  for (const std::uint32_t f : columns_.moving()) down[f] = -gradient[f];
  if (!normalize(down)) return {};
  return down;
}

Climb::Climb(const SearchSpace& space, ClimbState from, Context& context)
    : space_(space), at_(std::move(from)) {
  rescore(context);
}

void Climb::replace(std::size_t k, Direction direction) {
  if (at_.set.empty())
    for (const std::uint32_t f : space_.columns().moving()) at_.set.push_back({f});
  at_.set[k] = std::move(direction);
}

// Recomputes the scores from the model, without the rounding errors of many steps.
void Climb::rescore(Context& context) {
  const double size = largest_size(at_.weights);
  if (size > kLargeWeight || (size > 0 && size < kSmallWeight)) {
    const int exponent = std::ilogb(size);
    for (double& w : at_.weights) w = std::ldexp(w, -exponent);
  }
  scores_ = score(model(), space_.data(), context.pool);
  value_ = reached_ = space_.evaluate(scores_, context);
}

double Climb::length() const {
  if (!space_.options().step.has_penalty()) return 1;
  const double length = norm(at_.weights);
  return length > 0 ? length : 1;
}

void Climb::project(const Direction& direction, std::span<double> scores, Context& context) const {
  if (direction.weights.empty()) {
    space_.columns().copy(direction.feature, scores);
    return;
  }
  const auto projected =
      score(space_.columns().model(direction.weights), space_.data(), context.pool);
  std::copy(projected.begin(), projected.end(), scores.begin());
}

// The best step along a direction; sets along_ to its scores.
Step Climb::look(const Direction& direction, Context& context) {
  project(direction, along_, context);
  return space_.step().choose(scores_, along_, length(), context);
}

// Takes a step along along_; returns the gain.
double Climb::go(const Direction& direction, const Step& step) {
  for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += step.delta * along_[i];
  if (direction.weights.empty())
    at_.weights[direction.feature] += step.delta;
  else
    for (std::size_t f = 0; f < at_.weights.size(); ++f)
      at_.weights[f] += step.delta * direction.weights[f];
  unbounded_steps_ += step.unbounded;
  const double gain = step.value - reached_;
  reached_ = step.value;
  return gain;
}

double Climb::advance(const Direction& direction, Context& context) {
  return go(direction, look(direction, context));
}

double Climb::advance_gradient(Context& context) {
  const Direction down{0, space_.descent(scores_, context)};
  return down.weights.empty() ? 0 : advance(down, context);
}

Climb::Searched Climb::pass(const std::function<bool()>& interrupted, std::size_t& most_gained,
                            Context& context) {
  double most = -HUGE_VAL;
  for (std::size_t k = 0; k < set_size(); ++k) {
    if (interrupted()) return Searched::interrupted;
    const double gain = advance(direction(k), context);
    if (gain > most) {
      most = gain;
      most_gained = k;
    }
  }
  return Searched::done;
}

Climb::Searched Climb::greedy_pass(const std::function<bool()>& interrupted,
                                   std::size_t& most_gained, Context& context) {
  Step best{0, -HUGE_VAL};
  for (std::size_t k = 0; k < set_size(); ++k) {
    if (interrupted()) return Searched::interrupted;
    const Step step = look(direction(k), context);
    if (step.value > best.value) {
      best = step;
      most_gained = k;
    }
  }
  if (set_size() == 0) return Searched::done;
  project(direction(most_gained), along_, context);
  go(direction(most_gained), best);
  return Searched::done;
}

Climb::Searched Climb::follow_gradients(const std::function<bool()>& interrupted,
                                        Context& context) {
  for (int step = 0; step < kGradientSteps; ++step) {
    if (interrupted()) return Searched::interrupted;
    advance_gradient(context);
  }
  return Searched::done;
}

Climb::Searched Climb::go_round(const std::function<bool()>& interrupted, Context& context) {
  using Directions = DirectSearchOptions::Directions;
  const Directions directions = space_.options().directions;
  if (directions == Directions::gradient) return follow_gradients(interrupted, context);
  const std::vector<double> before = at_.weights;
  std::size_t most_gained = 0;
  const bool greedy = space_.options().order == DirectSearchOptions::Order::greedy;
  const Searched searched = greedy ? greedy_pass(interrupted, most_gained, context)
                                   : pass(interrupted, most_gained, context);
  if (searched == Searched::interrupted || directions == Directions::coordinates) return searched;

  Direction displacement{0, at_.weights};
  for (std::size_t f = 0; f < before.size(); ++f) displacement.weights[f] -= before[f];
  if (normalize(displacement.weights)) {
    if (interrupted()) return Searched::interrupted;
    advance(displacement, context);
    if (directions == Directions::powell) replace(most_gained, std::move(displacement));
  }
  if (directions == Directions::mixed) {
    if (interrupted()) return Searched::interrupted;
    advance_gradient(context);
  }
  return Searched::done;
}

Climb::Outcome Climb::round(const std::function<bool()>& interrupted, Context& context) {
  const std::vector<double> weights = at_.weights;
  const double before = value_;
  const bool began_with_coordinates = at_.set.empty();
  along_.resize(scores_.size());
  unbounded_steps_ = 0;
  Searched searched = Searched::interrupted;
  try {
    searched = go_round(interrupted, context);
  } catch (const Stopped&) {  // inside a search: the previous steps are kept
  }
  rescore(context);
  along_ = {};
  // Pieces so narrow that rounding decides the order may be lost.
  if (value_ < before - kMeanRounding) {
    at_.weights = weights;
    rescore(context);
  }
  if (searched == Searched::interrupted) return Outcome::interrupted;
  if (value_ - before > space_.options().tolerance) return Outcome::improved;
  if (began_with_coordinates) return Outcome::converged;
  at_.set.clear();
  return Outcome::improved;
}

}  // namespace podium
