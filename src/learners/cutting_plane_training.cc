#include "learners/cutting_plane_training.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

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
        context_(context) {
    if (bound_->link().outputs() > 1)
      throw Error(ErrorCode::usage,
                  fmt::format("the loss {} needs several outputs a document, which only forests "
                              "have: take a tree learner",
                              loss.name()));
    double used = 0;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      if (bound_->informative(q))
        used += data.query_weight(q);
      else
        ++skipped_;
    }
    context.comm.all_reduce_sum(std::span(&used, 1));
    if (!(used > 0))
      throw Error(
          ErrorCode::training,
          fmt::format("no query says anything to the loss {}: each lacks good or bad documents "
                      "(see --relevant-from) or has weight 0",
                      loss.name()));
    scale_ = 1 / used;
  }

  std::size_t skipped() const noexcept { return skipped_; }
  std::size_t dimension() const override { return data_.features() + has_bias_; }

  Linear model(std::span<const double> w) const {
    return {{w.begin(), w.begin() + static_cast<std::ptrdiff_t>(data_.features())},
            has_bias_ ? w.back() : 0.0};
  }

  std::vector<double> image(std::span<const double> w) override {
    std::vector<double> scores = score(model(w), data_, context_.pool);
    if (!std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); }))
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
    double total = std::accumulate(values.begin(), values.end(), 0.0);
    context_.comm.all_reduce_sum(std::span(&total, 1));
    return total;
  }

  std::vector<double> pull_back(std::span<const double> slope) override {
    auto sums = weighted_sum(data_, slope, context_.pool);
    if (has_bias_) sums.push_back(std::accumulate(slope.begin(), slope.end(), 0.0));
    context_.comm.all_reduce_sum(std::span(sums));
    return sums;
  }

  double inner(std::span<const double> slope, std::span<const double> z) override {
    double sum = std::inner_product(slope.begin(), slope.end(), z.begin(), 0.0);
    context_.comm.all_reduce_sum(std::span(&sum, 1));
    return sum;
  }

 private:
  const Dataset& data_;
  std::unique_ptr<const BoundLoss> bound_;
  bool has_bias_;
  Context& context_;
  double scale_ = 1;
  std::size_t skipped_ = 0;
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
  const std::vector<double> path = parse_c_path(options.c, problem.valid != nullptr);
  if (path.size() > 1 && !problem.valid)
    context.observer.note(
        "--C is a list but there is no --valid to choose by: the largest is taken");
  if (!problem.train.parts().document_weights.empty() &&
      loss.traits().shift == LossTraits::Shift::invariant)
    context.observer.note("the loss " + loss.name() +
                          " takes no document weights: they are not used");
  DataRisk risk(problem.train, loss, context);
  CuttingPlaneSolver solver(risk, {options.epsilon, options.max_passes, options.max_seconds});
  TrainingResult result;
  result.skipped_queries = risk.skipped();
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double c = path[i];
    const CuttingPlaneReport report =
        solver.minimize(c, context.stop, [&](const CuttingPlaneReport& at) {
          context.observer.iteration(
              {at.passes,
               0,
               {{"C", c}, {"primal", at.primal}, {"dual", at.dual}, {"gap", at.gap}}});
        });
    if (report.optimum == CuttingPlaneReport::Optimum::zero)
      context.observer.note(
          fmt::format("C = {}: the optimum of {} is w = 0, which ranks nothing; taken instead is a "
                      "step towards the mean "
                      "difference of good and bad documents, within the gap",
                      c, loss.name()));
    Linear model = risk.model(solver.solution());
    const double norm = std::sqrt(std::inner_product(
        solver.solution().begin(), solver.solution().end(), solver.solution().begin(), 0.0));
    Iteration step = summary(i + 1, path.size(), c, report, solver.risk_at_zero(), norm);
    double value = static_cast<double>(i);  // without validation data the last one is taken
    if (problem.valid) {
      value = evaluate(problem.measure, problem.convention, *problem.valid,
                       score(model, *problem.valid, context.pool), context);
      step.values.emplace_back("valid " + problem.measure->name(), value);
    }
    result.log.push_back(std::move(step));
    if (i == 0 || value > best) {
      best = value;
      result.best_iteration = static_cast<std::int64_t>(i + 1);
      result.chosen = {{"C", c}};
      result.model = std::move(model);
      result.certificate = Certificate{report.primal, report.dual, report.gap};
      result.why = to_termination(report.why);
    }
    if (report.why == CuttingPlaneStop::numerical_limit)
      context.observer.note(fmt::format(
          "C = {}: rounding keeps the gap at {:.2g}; scaled features (--normalize) would help", c,
          report.gap));
    if (context.stop.stop_requested()) {
      result.why = Termination::stopped;
      break;
    }
  }
  return result;
}

}  // namespace podium
