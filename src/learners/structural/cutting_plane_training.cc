#include "learners/structural/cutting_plane_training.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/loss_work.h"
#include "learners/memory_estimate.h"
#include "learners/structural/concave_convex.h"
#include "learners/structural/data_risk.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kSmallestC = 1e-12, kLargestC = 1e12;

Termination to_termination(CuttingPlaneStop why) {
  switch (why) {
    case CuttingPlaneStop::converged:
      return Termination::converged;
    case CuttingPlaneStop::pass_limit:
      return Termination::iteration_limit;
    case CuttingPlaneStop::time_limit:
      return Termination::time_limit;
    case CuttingPlaneStop::stopped:
      return Termination::stopped;
    case CuttingPlaneStop::numerical_limit:
      return Termination::numerical_limit;
  }
  return Termination::converged;
}

std::optional<CuttingPlaneStop> to_stop(std::optional<Termination> why) {
  if (!why) return {};
  return *why == Termination::stopped ? CuttingPlaneStop::stopped : CuttingPlaneStop::time_limit;
}

// The result for one C of the path.
struct Solution {
  std::vector<double> w;
  double objective = 0, risk = 0;
  std::int64_t passes = 0;
  double seconds = 0;
  CuttingPlaneStop termination = CuttingPlaneStop::converged;
  std::optional<Certificate> certificate;            // for convex losses
  std::vector<std::pair<std::string, double>> more;  // further values of the solver
};

// The log of one C of the path, with the values of Figures 4 to 6, 8 and 10 of [Chakrabarti08].
Iteration summary(std::size_t number, std::size_t total, double c, const Solution& at,
                  double risk_at_zero) {
  const double norm = std::sqrt(std::inner_product(at.w.begin(), at.w.end(), at.w.begin(), 0.0));
  Iteration step{static_cast<std::int64_t>(number),
                 static_cast<std::int64_t>(total),
                 {{"C", c}, {"primal", at.objective}}};
  const auto add = [&](std::initializer_list<std::pair<std::string, double>> figures) {
    step.values.insert(step.values.end(), figures);
  };
  if (at.certificate) add({{"dual", at.certificate->dual}, {"gap", at.certificate->gap}});
  add({{"slack", at.risk},
       {"objective/objective(0)", risk_at_zero > 0 ? at.objective / (c * risk_at_zero) : 1.0},
       {"norm", norm},
       {"passes", static_cast<double>(at.passes)},
       {"seconds", at.seconds}});
  step.values.insert(step.values.end(), at.more.begin(), at.more.end());
  return step;
}

Solution solution_of(const CuttingPlaneSolver& solver) {
  const CuttingPlaneReport& report = solver.report();
  return {solver.solution(),
          report.primal,
          report.risk,
          report.passes,
          report.seconds,
          report.termination,
          Certificate{report.primal, report.dual, report.gap},
          {{"planes", static_cast<double>(report.planes)},
           {"seconds in losses", report.risk_seconds},
           {"seconds in products", report.product_seconds},
           {"seconds in programme", report.program_seconds}}};
}

Solution solution_of(const ConcaveConvexState& state) {
  return {
      state.point,   state.objective,   state.risk, state.passes,
      state.seconds, state.termination, {},         {{"steps", static_cast<double>(state.steps)}}};
}

// The state of training between two passes, for checkpoints.
struct PathState {
  std::size_t place = 0;  // index on the path of C
  CuttingPlaneState solver;
  std::optional<ConcaveConvexState> steps;  // of the current C, once begun
  std::vector<Iteration> log;
  // The best C so far.
  double value = 0;
  std::int64_t iteration = 0;
  Linear model;
  std::optional<Certificate> certificate;
  Termination termination = Termination::converged;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.place, self.solver, self.steps, self.log, self.value, self.iteration,
            self.model.weights, self.model.bias, self.certificate, self.termination);
  }
};

// Training along the path of C: minimises the convex loss; for a loss that is not convex, first its
// convex bound and then, from there, concave–convex steps.
class PathTraining {
 public:
  PathTraining(const TrainingProblem& problem, const Loss& loss,
               const CuttingPlaneTraining& options, Context& context)
      : problem_(problem),
        loss_(loss),
        options_(options),
        context_(context),
        path_(parse_c_path(options.c, problem.valid != nullptr)),
        on_(problem.train, loss, context),
        convex_(loss.traits().shape == LossTraits::Shape::not_convex ? on_.bound->convex_bound({})
                                                                     : nullptr),
        risk_(on_, convex_ ? *convex_ : *on_.bound, context) {
    if (loss.traits().shape == LossTraits::Shape::not_convex && !convex_)
      throw Error(
          ErrorCode::usage,
          fmt::format("the loss {} is not convex: cutting planes cannot minimise it", loss.name()));
    const CuttingPlaneOptions limits{options.epsilon, options.max_passes};
    if (convex_) steps_.emplace(on_, limits, context);
    if (resume(context, state_)) {
      solver_.emplace(risk_, limits, state_.solver);
      if (state_.steps) steps_->resume(*state_.steps);
    } else {
      solver_.emplace(risk_, limits);
    }
  }

  TrainingResult run() {
    bool stopped = false;
    while (state_.place < path_.size() && !stopped)
      stopped = solve_or_stop() == Termination::stopped;
    note_untuned_c();
    TrainingResult result;
    result.model = std::move(state_.model);
    result.log = std::move(state_.log);
    result.best_iteration = state_.iteration;
    result.termination = stopped ? Termination::stopped : state_.termination;
    result.certificate = state_.certificate;
    result.chosen = {{"C", path_[static_cast<std::size_t>(state_.iteration - 1)]}};
    result.skipped_queries = static_cast<std::size_t>(on_.skipped);
    result.if_constant = "the optimum found is w = 0";
    return result;
  }

 private:
  void note_untuned_c() {
    if (problem_.valid || options_.c != "auto") return;
    const auto& weights = state_.model.weights;
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; }))
      return;  // a model of no use has its own note
    context_.observer.note(
        "‹C› is 1, as there is no ‹valid› to choose it by: other values may rank far better");
  }

  // A stop request inside a list leaves the model of an earlier C or, for the first C, the best
  // point.
  Termination solve_or_stop() {
    try {
      return solve();
    } catch (const Stopped&) {
      if (resumable_) keep(context_, *resumable_);
      if (!state_.log.empty()) return Termination::stopped;
      std::optional<Solution> at;
      if (state_.steps)
        at = solution_of(*state_.steps);
      else if (solver_->end_here())
        at = solution_of(*solver_);
      if (!at) throw;
      at->termination = CuttingPlaneStop::stopped;
      if (steps_) at->certificate.reset();  // it is that of the hinge
      record(path_[state_.place], std::move(*at));
      return Termination::stopped;
    }
  }

  // Solves the next C of the path. A stop request leaves the last state from which training can
  // resume.
  Termination solve() {
    const double c = path_[state_.place];
    if (solver_->state().c != c) solver_->begin(c);
    const Deadline deadline(options_.max_seconds, seconds_spent());
    const auto watch = [&](const CuttingPlaneReport& at) {
      Iteration pass{
          at.passes, 0, {{"C", c}, {"primal", at.primal}, {"dual", at.dual}, {"gap", at.gap}}};
      if (state_.steps) pass.values.emplace_back("objective", state_.steps->objective);
      context_.observer.iteration(pass);
      return to_stop(deadline.reached(context_));
    };
    if (!state_.steps) {
      while (solver_->advance(watch) != CuttingPlaneSolver::Progress::done) mark();
      tell(c, solver_->report());
    }
    Solution solution = steps_ ? take_steps(c, watch) : solution_of(*solver_);
    const bool stopped = solution.termination == CuttingPlaneStop::stopped;
    if (stopped && resumable_) keep(context_, *resumable_);
    record(c, std::move(solution));
    if (stopped) return Termination::stopped;
    ++state_.place;
    state_.steps.reset();
    mark();
    const auto why = Deadline(0).reached(context_);
    if (why) keep(context_, state_);
    return why.value_or(Termination::converged);
  }

  // Time spent on the current C.
  double seconds_spent() const {
    if (!state_.steps) return solver_->report().seconds;
    return state_.steps->seconds + state_.steps->solver.report.seconds;
  }

  // If the search for the start was interrupted, its point is the model.
  Solution take_steps(double c, const CuttingPlaneSolver::Watch& watch) {
    if (!state_.steps) {
      const CuttingPlaneReport& start = solver_->report();
      if (start.termination != CuttingPlaneStop::converged &&
          start.termination != CuttingPlaneStop::numerical_limit) {
        Solution solution = solution_of(*solver_);
        solution.certificate.reset();  // it is that of the hinge
        return solution;
      }
      steps_->begin(c, solver_->solution(), start.passes, start.seconds);
      state_.steps = steps_->state();
      mark();
    }
    while (steps_->advance(watch) != CuttingPlaneSolver::Progress::done) {
      state_.steps = steps_->state();
      mark();
    }
    return solution_of(steps_->state());
  }

  void mark() {
    if (!context_.checkpoints) return;
    state_.solver = solver_->state();
    resumable_ = state_;
    keep_if_due(context_, state_);
  }

  void record(double c, Solution solution) {
    Linear model = risk_.model(solution.w);
    Iteration step = summary(state_.place + 1, path_.size(), c, solution, solver_->risk_at_zero());
    double value = static_cast<double>(state_.place);  // without validation data the last one wins
    if (problem_.valid) {
      value = evaluate(problem_.measure, problem_.convention, *problem_.valid,
                       score(model, *problem_.valid, context_.pool), context_);
      step.values.emplace_back("valid " + problem_.measure->name(), value);
    }
    state_.log.push_back(std::move(step));
    if (state_.place > 0 && !(value > state_.value)) return;
    state_.value = value;
    state_.iteration = static_cast<std::int64_t>(state_.place + 1);
    state_.model = std::move(model);
    state_.certificate = solution.certificate;
    state_.termination = to_termination(solution.termination);
  }

  // Adds notes about unexpected results of the convex problem.
  void tell(double c, const CuttingPlaneReport& report) {
    const std::string why(to_text(to_termination(report.termination)));
    if (report.termination == CuttingPlaneStop::numerical_limit)
      context_.observer.note(fmt::format(
          "C = {}: rounding keeps the gap{} at {:.2g}; scaled features (‹normalize›) would help", c,
          steps_ ? " of the convex start" : "", report.gap));
    if (steps_ && (report.termination == CuttingPlaneStop::pass_limit ||
                   report.termination == CuttingPlaneStop::time_limit))
      context_.observer.note(
          fmt::format("C = {}: training ended ({}) in the search for the convex start, before the "
                      "first concave-convex step; allow more passes or time",
                      c, why));
    if (steps_ || report.point != CuttingPlaneReport::Point::off_zero) return;
    const std::string step =
        "the model is a small step from there towards the mean difference of good and bad "
        "documents";
    if (report.termination == CuttingPlaneStop::converged)
      context_.observer.note(fmt::format(
          "C = {}: the optimum of {} is w = 0, which ranks nothing; {}, within the gap. Losses "
          "with "
          "this optimum end as nearly the same direction{}{}",
          c, loss_.name(), step, options_.advice.empty() ? "" : ". Try ", options_.advice));
    else
      context_.observer.note(
          fmt::format("C = {}: training ended ({}) before it left w = 0, with a gap of {:.3g}; {}. "
                      "Allow more passes or time",
                      c, why, report.gap, step));
  }

  const TrainingProblem& problem_;
  const Loss& loss_;
  const CuttingPlaneTraining& options_;
  Context& context_;
  std::vector<double> path_;
  LossOnData on_;
  std::unique_ptr<const BoundLoss> convex_;  // if the loss is not convex: a bound on it
  DataRisk risk_;                            // of the convex loss
  PathState state_;
  std::optional<CuttingPlaneSolver> solver_;
  std::optional<ConcaveConvex> steps_;  // if the loss is not convex
  std::optional<PathState> resumable_;
};

}  // namespace

std::vector<double> parse_c_path(std::string_view text, bool has_validation) {
  if (text == "auto") {
    if (!has_validation) return {1};
    return {1e-2, 1e-1, 1, 10, 100, 1000, 1e4};
  }
  std::vector<double> path;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double c = 0;
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, c);
    if (error != std::errc() || stop != text.data() + end || !(c >= kSmallestC) ||
        !(c <= kLargestC))
      throw Error(ErrorCode::usage,
                  fmt::format("‹C›: '{}' is not a number > 0 (1e-12 to 1e12), or a list of them",
                              text.substr(begin, end - begin)));
    path.push_back(c);
    begin = end + 1;
  }
  std::sort(path.begin(), path.end());
  path.erase(std::unique(path.begin(), path.end()), path.end());
  return path;
}

TrainingResult train_by_cutting_planes(const TrainingProblem& problem, const Loss& loss,
                                       const CuttingPlaneTraining& options, Context& context) {
  if (!problem.valid && parse_c_path(options.c, false).size() > 1)
    context.observer.note(
        "‹C› is a list but there is no ‹valid› to choose by: the largest is taken");
  if (!problem.train.parts().document_weights.empty() &&
      loss.traits().shift == LossTraits::Shift::invariant)
    context.observer.note("the loss " + loss.name() +
                          " takes no document weights: they are not used");
  note_cutting_planes(loss, problem.train, context);
  return PathTraining(problem, loss, options, context).run();
}

// For the planes.
MemoryNeed memory_of_cutting_planes(const Dataset& train) {
  return memory_for({.per_input = 150}, train);
}

}  // namespace podium
