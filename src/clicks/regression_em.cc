// Regression-EM [Wang18b]: P(c) = θ_p σ(f(x_d)), by alternating
//   θ at fixed f: E: P(examined | no click) = θ(1 − γ)/(1 − θγ), M: means with the prior
//     (examination_em.h), repeated until θ stays;
//   f at fixed θ: E: the documents of Σ n shows were examined c + (n − c) θ(1 − γ)/(1 − θγ) times,
//     and relevant c of these times; M: f is fitted to these weighted copies of 1 and 0, as a soft
//     label r_d per document with the weight N_d, by the logistic loss.
// Differs from [Wang18b]: copies of shows that were not examined are left out. They have the
// posterior γ that f itself predicted, so that the likelihood and its slopes are the same without
// them, but EM would take about 1/θ times as many steps with them.
//
// A fit that lowers the likelihood is halved towards the scores before until it does not. Every
// third fit is at extrapolated θ (SQUAREM, [Varadhan08]), and kept only if the objective rises. So
// the objective (log-likelihood and prior of θ) never falls. θ of the first position that was shown
// is 1; the others begin at pbm's, where the log determines them, and else at 1/p.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "clicks/relevance_regression.h"
#include "clicks/theta_step.h"
#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kRegressionChunk = 1024;  // documents per task
constexpr std::int64_t kThetaSteps = 200;       // after each fit of f
constexpr double kFarthest = 16;                // of extrapolations, in steps
constexpr int kHalvings = 12;
constexpr double kSmallestRelevance = 1e-6;

double logistic(double s) {
  const double e = math::exp(-std::abs(s));
  return std::clamp(s >= 0 ? 1 / (1 + e) : e / (1 + e), kSmallestRelevance, 1 - kSmallestRelevance);
}

class RegressionEm {
 public:
  // Begins at `theta`.
  RegressionEm(const ClickFitting& fitting, const Dataset& data, Anchors anchors,
               const std::vector<double>& theta, Context& context)
      : fitting_(fitting),
        context_(context),
        anchors_(std::move(anchors)),
        now_(first_state(theta)),
        regression_(data, fitting.log, fitting.options.relevance_learner, now_.gamma, context) {}

  void run(ClickModel& model) {
    keep(improved_theta(now_), model);
    while (model.ended.empty()) {
      const double before = now_.objective;
      const std::vector<double> first = now_.theta;
      keep(refitted(now_, model), model);
      const std::vector<double> second = now_.theta;
      keep(refitted(now_, model), model);
      State far = now_;
      far.theta = extrapolated(first, second, now_.theta);
      far = refitted(std::move(far), model);
      if (far.objective > now_.objective) keep(std::move(far), model);
      const double gain = now_.objective - before;
      if (!(gain > 0))
        model.ended = "until another would not raise the likelihood";
      else if (gain <= fitting_.options.refit_tolerance * (std::abs(before) + 1))
        model.ended = fmt::format("until three changed the objective by less than {:g} of it",
                                  fitting_.options.refit_tolerance);
      else if (model.refits + 3 > fitting_.options.refits)
        model.ended = "the maximum";
    }
    model.propensities = std::move(now_.theta);
    model.attraction = std::move(now_.gamma);
  }

 private:
  struct State {
    std::vector<double> theta, scores, gamma;
    double objective = 0;
  };

  State first_state(const std::vector<double>& theta) const {
    State state;
    state.theta = theta;
    double clicks = 0.5, exposure = 1;
    for (const ClickCell& cell : fitting_.log.cells) {
      clicks += cell.clicked;
      exposure += cell.shown * state.theta[cell.position - 1];
    }
    const double start = std::clamp(clicks / exposure, 0.01, 0.99);
    state.scores.assign(fitting_.log.documents(), math::log(start / (1 - start)));
    set_gamma(state);
    return state;
  }

  static void set_gamma(State& state) {
    state.gamma.resize(state.scores.size());
    for (std::size_t d = 0; d < state.scores.size(); ++d)
      state.gamma[d] = logistic(state.scores[d]);
  }

  void keep(State state, ClickModel& model) {
    now_ = std::move(state);
    model.objective.push_back(now_.objective);
  }

  double objective_of(const State& state) const {
    std::vector<double> next(state.theta.size());
    return ThetaStep(fitting_, anchors_, state.gamma)(state.theta, next);
  }

  // With the θ that its γ makes most likely.
  State improved_theta(State state) const {
    const std::vector<double> before = state.theta;
    const double least = objective_of(state);
    accelerated_em(state.theta, ThetaStep(fitting_, anchors_, state.gamma), kThetaSteps,
                   fitting_.options.tolerance);
    for (std::size_t p = 0; p < state.theta.size(); ++p)
      if (anchors_.fixed[p]) state.theta[p] = anchors_.values[p];
    state.objective = objective_of(state);
    if (state.objective >= least) return state;  // else only by rounding
    state.theta = before;
    state.objective = least;
    return state;
  }

  SoftLabels soft_labels(const State& state) const {
    const std::size_t documents = state.gamma.size();
    SoftLabels labels{std::vector<double>(documents), std::vector<double>(documents)};
    parallel_for(fitting_.pool, documents, kRegressionChunk,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t d = begin; d < end; ++d) label(d, state, labels);
                 });
    return labels;
  }
  void label(std::size_t d, const State& state, SoftLabels& labels) const {
    const double gamma = state.gamma[d];
    double clicks = 0, examined = 0;
    for (const ClickCell& cell : fitting_.log.cells_of(d)) {
      const double theta = state.theta[cell.position - 1];
      const double none = std::max(1 - theta * gamma, kSmallestProbability);
      clicks += cell.clicked;
      examined += cell.clicked + (cell.shown - cell.clicked) * theta * (1 - gamma) / none;
    }
    labels.count[d] = examined;
    labels.relevance[d] = examined > 0 ? clicks / examined : gamma;
  }

  // With f fitted at its θ, then with the θ that belongs to f.
  State refitted(State state, ClickModel& model) {
    if (context_.stop.stop_requested()) throw Stopped();
    const double before = objective_of(state);
    State next = state;
    next.scores = regression_.fit(soft_labels(state));
    ++model.refits;
    for (int halving = 0; halving < kHalvings; ++halving) {
      set_gamma(next);
      if (objective_of(next) > before) return improved_theta(std::move(next));
      for (std::size_t d = 0; d < next.scores.size(); ++d)
        next.scores[d] = (next.scores[d] + state.scores[d]) / 2;
    }
    return improved_theta(std::move(state));
  }

  // On log θ.
  std::vector<double> extrapolated(const std::vector<double>& first,
                                   const std::vector<double>& second,
                                   const std::vector<double>& third) const {
    const std::size_t n = first.size();
    std::vector<double> r(n), v(n), theta = third;
    double rr = 0, vv = 0;
    for (std::size_t p = 0; p < n; ++p) {
      if (anchors_.fixed[p]) continue;
      r[p] = math::log(second[p] / first[p]);
      v[p] = math::log(third[p] / second[p]) - r[p];
      rr += r[p] * r[p];
      vv += v[p] * v[p];
    }
    const double length = vv > 0 ? std::clamp(std::sqrt(rr / vv), 1.0, kFarthest) : 1;
    for (std::size_t p = 0; p < n; ++p)
      if (!anchors_.fixed[p])
        theta[p] = std::clamp(first[p] * math::exp(2 * length * r[p] + length * length * v[p]),
                              kSmallestProbability, 1 - kSmallestProbability);
    return theta;
  }

  const ClickFitting& fitting_;
  Context& context_;
  Anchors anchors_;
  State now_;
  RelevanceRegression regression_;
};

// The first position shown has θ = 1; `given` fixes all.
Anchors regression_anchors(const ClickLog& log, const Connectivity& graph,
                           const std::vector<double>* given) {
  Anchors anchors{std::vector<char>(log.positions, given != nullptr),
                  std::vector<double>(log.positions, 1.0)};
  bool anchored = false;
  for (std::size_t p = 0; p < log.positions; ++p) {
    const bool never = graph.component[p] == Connectivity::kNever;
    if (given)
      anchors.values[p] = (*given)[p];
    else if (never || !anchored)
      anchors.fixed[p] = 1;
    anchored = anchored || !never;
  }
  return anchors;
}

std::vector<double> falling_theta(const Anchors& anchors) {
  std::vector<double> theta = anchors.values;
  for (std::size_t p = 0; p < theta.size(); ++p)
    if (!anchors.fixed[p]) theta[p] = 1 / static_cast<double>(p + 1);
  return theta;
}

// What features miss of relevance is in θ, too: a note if pbm, which has no f, predicts better.
void compare_with_pbm(const ClickLog& log, ClickModel& pbm, ClickModel& model, Context& context) {
  constexpr double kMissed = 0.02;  // of what pbm knows more than one rate
  evaluate_click_model(log, pbm);
  evaluate_click_model(log, model);
  const bool held = log.held_total > 0;
  const double best = (held ? pbm.held_out : pbm.training).log_likelihood;
  const double none = (held ? pbm.null_held_out : pbm.null_training).log_likelihood;
  const double missed = best - (held ? model.held_out : model.training).log_likelihood;
  if (missed > kMissed * (best - none))
    context.observer.note(fmt::format(
        "the features explain {:.0f} % less of the clicks than documents do (‹model pbm›): what "
        "they miss biases these propensities. Use pbm's, or another ‹relevance-learner›",
        100 * missed / (best - none)));
}

void note_components(const Connectivity& graph, const std::string& learner, Context& context) {
  context.observer.note(fmt::format(
      "no clicked document connects the positions {}: their propensities are compared only by the "
      "relevance that {} predicts from features, and are wrong where it is. Nothing in the log can "
      "show that; features that tell the position make it likely",
      component_text(graph), learner));
}

}  // namespace

void fit_regression(const ClickFitting& fitting, const Dataset& data,
                    const std::vector<double>* given, Context& context, ClickModel& model) {
  if (!fitting.options.assume.empty())
    throw Error(ErrorCode::usage,
                "‹assume› is not for ‹model regression-em›, whose learner compares the positions");
  const Connectivity graph = connectivity(fitting.log);
  model.components = graph.components;
  model.relevance_learner = fitting.options.relevance_learner;
  model.seed = context.seed;
  const Anchors anchors = regression_anchors(fitting.log, graph, given);
  const bool by_pbm = graph.components == 1 && !given;
  ClickModel pbm;
  if (by_pbm) fit_pbm(fitting, anchors, pbm);
  if (graph.components > 1 && !given) note_components(graph, model.relevance_learner, context);
  RegressionEm(fitting, data, anchors, by_pbm ? pbm.propensities : falling_theta(anchors), context)
      .run(model);
  count_exposure(fitting.log, model);
  if (by_pbm) compare_with_pbm(fitting.log, pbm, model, context);
}

}  // namespace podium
