#include "learners/cutting_plane_training.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "learners/checkpointing.h"
#include "learners/deadline.h"
#include "models/document_sums.h"
#include "models/indicator_steps.h"
#include "models/linear.h"
#include "podium/error.h"
#include "solvers/cutting_plane.h"

namespace podium {
namespace {

constexpr std::size_t kQueryChunk = 16;
constexpr double kSmallestC = 1e-12, kLargestC = 1e12;

// The data's side of the solver: scores, losses and gradients, summed over all ranks.
class DataRisk final : public LinearRisk {
 public:
  DataRisk(const Dataset& data, const Loss& loss, Context& context)
      : data_(data),
        bound_(loss.bind(data, context.comm)),
        has_bias_(loss.traits().shift == LossTraits::Shift::sensitive),
        steps_(IndicatorSteps::find(data, context)),
        context_(context) {
    if (bound_->link().outputs() > 1)
      throw Error(ErrorCode::usage,
                  fmt::format("the loss {} needs several outputs a document, which only forests "
                              "have: take a tree learner",
                              loss.name()));
    ExactSum used;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      if (bound_->informative(q))
        used += data.query_weight(q);
      else
        ++skipped_;
    }
    const double weight = sum_over_ranks(used, context.comm);
    context.comm.all_reduce_sum(std::span(&skipped_, 1));
    if (!(weight > 0))
      throw Error(
          ErrorCode::training,
          fmt::format("no query says anything to the loss {}: each lacks good or bad documents "
                      "(see --relevant-from) or has weight 0",
                      loss.name()));
    scale_ = 1 / weight;
  }

  std::size_t skipped() const noexcept { return static_cast<std::size_t>(skipped_); }
  std::size_t dimension() const override { return data_.features() + has_bias_; }

  Linear model(std::span<const double> w) const {
    return {{w.begin(), w.begin() + static_cast<std::ptrdiff_t>(data_.features())},
            has_bias_ ? w.back() : 0.0};
  }

  std::vector<double> image(std::span<const double> w) override {
    Linear at = model(w);
    if (steps_) at.weights = steps_->sums_up_to(at.weights);
    std::vector<double> scores = score(at, steps_ ? steps_->steps() : data_, context_.pool);
    const bool finite =
        std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); });
    if (on_any_rank(!finite, context_.comm))
      throw Error(ErrorCode::training,
                  "the scores overflow: scale the features (--normalize) or lower C");
    return scores;
  }

  double evaluate(std::span<const double> z, std::span<double> slope) override {
    std::vector<double> values(data_.queries());
    parallel_for(context_.pool, data_.queries(), kQueryChunk,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t q = begin; q < end; ++q) {
                     const std::size_t at = data_.begin(q), count = data_.end(q) - at;
                     const auto first = slope.subspan(at, count);
                     values[q] = scale_ * bound_->evaluate(q, z.subspan(at, count), {first, {}});
                     for (double& x : first) x *= scale_;
                   }
                 });
    return sum_over_ranks(values, context_.comm);
  }

  std::vector<double> pull_back(std::span<const double> slope) override {
    auto sums = weighted_sum(steps_ ? steps_->steps() : data_, slope, context_);
    if (steps_) sums = steps_->sums_from(std::move(sums));
    if (has_bias_) sums.push_back(sum_over_ranks(slope, context_.comm));
    return sums;
  }

  double inner(std::span<const double> slope, std::span<const double> z) override {
    return inner_over_documents(data_, slope, z, context_);
  }

 private:
  const Dataset& data_;
  std::unique_ptr<const BoundLoss> bound_;
  bool has_bias_;
  std::optional<IndicatorSteps> steps_;  // of data_, where it is of indicators
  Context& context_;
  double scale_ = 1;
  std::int64_t skipped_ = 0;  // on all ranks
};

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

// One C of the path, with the figures of [Chakrabarti08]'s Figures 4 to 6, 8 and 10.
Iteration summary(std::size_t number, std::size_t total, double c, const CuttingPlaneReport& report,
                  double risk_at_zero, double norm) {
  return {static_cast<std::int64_t>(number),
          static_cast<std::int64_t>(total),
          {{"C", c},
           {"primal", report.primal},
           {"dual", report.dual},
           {"gap", report.gap},
           {"slack", report.risk},
           {"objective/objective(0)", risk_at_zero > 0 ? report.primal / (c * risk_at_zero) : 1.0},
           {"norm", norm},
           {"passes", static_cast<double>(report.passes)},
           {"planes", static_cast<double>(report.planes)},
           {"seconds", report.seconds},
           {"seconds in losses", report.risk_seconds},
           {"seconds in products", report.product_seconds},
           {"seconds in programme", report.program_seconds}}};
}

// The training between two passes, for checkpoints.
struct PathState {
  std::size_t place = 0;  // on the path of C
  CuttingPlaneState solver;
  std::vector<Iteration> log;
  // The best C so far.
  double value = 0;
  std::int64_t iteration = 0;
  Linear model;
  Certificate certificate;
  Termination why = Termination::converged;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.place, self.solver, self.log, self.value, self.iteration, self.model.weights,
            self.model.bias, self.certificate, self.why);
  }
};

class PathTraining {
 public:
  PathTraining(const TrainingProblem& problem, const Loss& loss,
               const CuttingPlaneTraining& options, Context& context)
      : problem_(problem),
        loss_(loss),
        options_(options),
        context_(context),
        path_(parse_c_path(options.c, problem.valid != nullptr)),
        risk_(problem.train, loss, context) {
    const CuttingPlaneOptions limits{options.epsilon, options.max_passes};
    if (resume(context, state_))
      solver_.emplace(risk_, limits, state_.solver);
    else
      solver_.emplace(risk_, limits);
  }

  TrainingResult run() {
    bool stopped = false;
    while (state_.place < path_.size() && !stopped) stopped = solve() == Termination::stopped;
    TrainingResult result;
    result.model = std::move(state_.model);
    result.log = std::move(state_.log);
    result.best_iteration = state_.iteration;
    result.why = stopped ? Termination::stopped : state_.why;
    result.certificate = state_.certificate;
    result.chosen = {{"C", path_[static_cast<std::size_t>(state_.iteration - 1)]}};
    result.skipped_queries = risk_.skipped();
    return result;
  }

 private:
  // The next C of the path. What a stop request leaves is the state as it was when it could last be
  // taken up again.
  Termination solve() {
    const double c = path_[state_.place];
    if (solver_->state().c != c) solver_->begin(c);
    const Deadline deadline(options_.max_seconds, solver_->report().seconds);
    const auto watch = [&](const CuttingPlaneReport& at) {
      context_.observer.iteration(
          {at.passes, 0, {{"C", c}, {"primal", at.primal}, {"dual", at.dual}, {"gap", at.gap}}});
      return to_stop(deadline.reached(context_));
    };
    while (solver_->advance(watch) != CuttingPlaneSolver::Progress::done) mark();
    const bool stopped = solver_->report().why == CuttingPlaneStop::stopped;
    if (stopped && resumable_) keep(context_, *resumable_);
    record(c);
    if (stopped) return Termination::stopped;
    ++state_.place;
    mark();
    const auto why = Deadline(0).reached(context_);
    if (why) keep(context_, state_);
    return why.value_or(Termination::converged);
  }

  void mark() {
    if (!context_.checkpoints) return;
    state_.solver = solver_->state();
    resumable_ = state_;
    keep_if_due(context_, state_);
  }

  void record(double c) {
    const CuttingPlaneReport& report = solver_->report();
    tell(c, report);
    Linear model = risk_.model(solver_->solution());
    const double norm = std::sqrt(std::inner_product(
        solver_->solution().begin(), solver_->solution().end(), solver_->solution().begin(), 0.0));
    Iteration step =
        summary(state_.place + 1, path_.size(), c, report, solver_->risk_at_zero(), norm);
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
    state_.certificate = {report.primal, report.dual, report.gap};
    state_.why = to_termination(report.why);
  }

  void tell(double c, const CuttingPlaneReport& report) {
    if (report.optimum == CuttingPlaneReport::Optimum::zero)
      context_.observer.note(
          fmt::format("C = {}: the optimum of {} is w = 0, which ranks nothing; taken instead is a "
                      "step towards the mean "
                      "difference of good and bad documents, within the gap",
                      c, loss_.name()));
    if (report.why == CuttingPlaneStop::numerical_limit)
      context_.observer.note(fmt::format(
          "C = {}: rounding keeps the gap at {:.2g}; scaled features (--normalize) would help", c,
          report.gap));
  }

  const TrainingProblem& problem_;
  const Loss& loss_;
  const CuttingPlaneTraining& options_;
  Context& context_;
  std::vector<double> path_;
  DataRisk risk_;
  PathState state_;
  std::optional<CuttingPlaneSolver> solver_;
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
                  fmt::format("--C: '{}' is not a number > 0 (1e-12 to 1e12), or a list of them",
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
        "--C is a list but there is no --valid to choose by: the largest is taken");
  if (!problem.train.parts().document_weights.empty() &&
      loss.traits().shift == LossTraits::Shift::invariant)
    context.observer.note("the loss " + loss.name() +
                          " takes no document weights: they are not used");
  return PathTraining(problem, loss, options, context).run();
}

}  // namespace podium
