// Linear models for any loss: a quadratic one is solved exactly, another convex one by cutting
// planes, and the rest by gradients (parametric/training.h).
//
// The quadratic one is ridge regression with an intercept for every query:
//
//   min_{w, b_1, …}  Σ_q L_q(X_q w + b_q) / H + ½ λ Σ_f σ_f² w_f²
//
// with g, h the loss's derivatives at score 0, H = Σ h and σ_f the feature's deviation within
// queries, so λ does not depend on the features' units. The b_q are free because a constant added
// to all scores of a query changes no ranking: with one common constant, the weights would also
// have to explain differences between queries. The model's bias is the best common constant for the
// weights found.
//
// In standardised coordinates v = σ w the optimum solves (R + λ I) v = r with R the correlation
// matrix within queries. For up to kDirectLimit features R is decomposed once for the whole path of
// λ; for more, conjugate gradients multiply by the data instead.
#include "models/linear/linear.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/loss_learner.h"
#include "learners/parametric/training.h"
#include "learners/structural/cutting_plane_training.h"
#include "losses/pointwise/squared.h"
#include "podium/error.h"
#include "podium/option_text.h"
#include "solvers/conjugate_gradient.h"
#include "solvers/ridge.h"

namespace podium {
namespace {

constexpr std::size_t kDirectLimit = 2000;
constexpr double kPlainL2 = 1e-3;
constexpr double kPath[] = {10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6};

struct LinearOptions : ParametricOptions {
  double l2 = 0;
  std::string c = CuttingPlaneTraining{}.c;
  double epsilon = CuttingPlaneTraining{}.epsilon;
};

const OptionTable<LinearOptions>& linear_table() {
  static const auto options = [] {
    OptionTable<LinearOptions> all;
    all.add("optimizer", &LinearOptions::optimizer,
            "auto: exact for the squared loss, cutting-plane for other convex losses, lbfgs for "
            "smooth ones that are not convex, adam for λ-rules",
            {{"auto", Optimizer::automatic},
             {"cutting-plane", Optimizer::cutting_plane},
             {"lbfgs", Optimizer::lbfgs},
             {"adam", Optimizer::adam},
             {"sgd", Optimizer::sgd}})
        .add("l2", &LinearOptions::l2,
             "squared loss: penalty on squared weights of standardised features; 0: chosen on the "
             "validation data, or 0.001 when there is none",
             at_least(0))
        .add("C", &LinearOptions::c,
             "cutting-plane: weight of the loss relative to ½‖w‖², a number, a list or auto")
        .add("epsilon", &LinearOptions::epsilon, "cutting-plane: relative duality gap to reach",
             Range{0, 0.5, Range::Low::open});
    return add_gradient_options(all);
  }();
  return options;
}

// The quadratic loss around score 0, summed over all ranks.
struct Quadratic {
  std::vector<double> first, second;  // one per document; `first` has mean 0 within each query
  double total_first = 0, total_second = 0;
  std::vector<double> mean;       // of each feature over all documents
  std::vector<double> deviation;  // within queries; 0: constant there
  std::vector<double> slope;      // right-hand side r, in standardised coordinates
};

// Subtracts from each query's values their h-weighted mean, times h.
void centre(const Dataset& data, std::span<const double> h, std::span<double> values,
            ThreadPool& pool) {
  parallel_for(pool, data.queries(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      double sum = 0, weight = 0;
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) {
        sum += values[i];
        weight += h[i];
      }
      if (!(weight > 0)) continue;
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) values[i] -= h[i] * sum / weight;
    }
  });
}

Quadratic expand(const Loss& loss, const Dataset& data, Context& context) {
  Quadratic out;
  out.first.resize(data.documents());
  out.second.resize(data.documents());
  const auto bound = loss.bind(data, context.comm);
  parallel_for(context.pool, data.queries(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      const std::size_t at = data.begin(q), count = data.end(q) - at;
      const std::vector<double> zeros(count);
      bound->evaluate(
          q, zeros,
          {std::span(out.first).subspan(at, count), std::span(out.second).subspan(at, count)});
    }
  });
  const auto sums = weighted_sum(data, out.second, context);
  const auto squares = squares_within(data, out.second, context);
  out.total_first = sum_over_ranks(out.first, context.comm);
  out.total_second = sum_over_ranks(out.second, context.comm);
  centre(data, out.second, out.first, context.pool);
  const auto slopes = weighted_sum(data, out.first, context);
  if (!(out.total_second > 0)) out.total_second = 1;  // no document has a weight: all sums are 0
  for (std::size_t f = 0; f < data.features(); ++f) {
    const double mean = sums[f] / out.total_second;
    const double variance = squares[f] / out.total_second;
    const bool constant = variance <= 1e-12 * mean * mean;  // only rounding errors
    out.mean.push_back(mean);
    out.deviation.push_back(constant ? 0.0 : std::sqrt(variance));
    out.slope.push_back(constant ? 0.0 : -slopes[f] / out.total_second / out.deviation[f]);
  }
  return out;
}

Linear to_model(const Quadratic& q, std::span<const double> v) {
  Linear model{std::vector<double>(v.size()), -q.total_first / q.total_second};
  for (std::size_t f = 0; f < v.size(); ++f) {
    if (q.deviation[f] > 0) model.weights[f] = v[f] / q.deviation[f];
    model.bias -= q.mean[f] * model.weights[f];
  }
  return model;
}

// Solves for one λ after another, starting with the largest; `last` is the solution for the
// previous λ, empty at first.
class Path {
 public:
  virtual ~Path() = default;
  virtual std::vector<double> solve(double lambda, std::vector<double> last) = 0;
};

class DirectPath final : public Path {
 public:
  DirectPath(const Quadratic& q, const Dataset& data, Context& context)
      : ridge_(correlations(q, data, context), q.slope) {}
  std::vector<double> solve(double lambda, std::vector<double>) override {
    return ridge_.solve(lambda);
  }

 private:
  static std::vector<double> correlations(const Quadratic& q, const Dataset& data,
                                          Context& context) {
    auto moments = moments_within(data, q.second, context);
    const std::size_t d = data.features();
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) {
        const double scale = q.deviation[a] * q.deviation[b];
        double& m = moments[a * d + b];
        m = scale > 0 ? m / q.total_second / scale : 0.0;
      }
    return moments;
  }

  RidgePath ridge_;
};

class IterativePath final : public Path {
 public:
  IterativePath(const Quadratic& q, const Dataset& data, Context& context)
      : q_(q), data_(data), context_(context) {}

  std::vector<double> solve(double lambda, std::vector<double> last) override {
    const auto multiply = [&](std::span<const double> v) { return apply(v, lambda); };
    return conjugate_gradient(multiply, q_.slope, std::move(last), 1e-8, 1000).x;
  }

 private:
  // (R + λ I) v without R: unstandardise, score, weigh and centre, project back.
  std::vector<double> apply(std::span<const double> v, double lambda) const {
    Linear model{std::vector<double>(v.size()), 0};
    for (std::size_t f = 0; f < v.size(); ++f)
      if (q_.deviation[f] > 0) model.weights[f] = v[f] / q_.deviation[f];
    std::vector<double> scores = score(model, data_, context_.pool);
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] *= q_.second[i];
    centre(data_, q_.second, scores, context_.pool);
    auto out = weighted_sum(data_, scores, context_);
    for (std::size_t f = 0; f < v.size(); ++f) {
      const double within = q_.deviation[f] > 0 ? out[f] / q_.total_second / q_.deviation[f] : 0.0;
      out[f] = within + lambda * v[f];
    }
    return out;
  }

  const Quadratic& q_;
  const Dataset& data_;
  Context& context_;
};

std::unique_ptr<Path> make_path(const Quadratic& q, const Dataset& data, Context& context) {
  if (data.features() <= kDirectLimit) return std::make_unique<DirectPath>(q, data, context);
  return std::make_unique<IterativePath>(q, data, context);
}

// Ridge regression between two λ, for checkpoints.
struct RidgeState {
  std::vector<double> last;  // solution, in standardised coordinates
  std::vector<Iteration> log;
  // The best so far.
  double value = 0;
  std::int64_t iteration = 0;
  Linear model;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.last, self.log, self.value, self.iteration, self.model.weights, self.model.bias);
  }
};

// How a linear model is trained; some options apply to only one of the ways.
enum class Way { exact, planes, gradients };

std::optional<Way> way_of(std::string_view option) {
  if (option == "optimizer" || option == "max-seconds") return {};
  if (option == "l2") return Way::exact;
  return option == "C" || option == "epsilon" ? Way::planes : Way::gradients;
}

std::string_view way_text(Way way) {
  return way == Way::exact    ? "the exact solution of the squared loss"
         : way == Way::planes ? "‹optimizer cutting-plane›"
                              : "‹optimizer lbfgs›, adam or sgd";
}

// The given options that differ from the defaults.
std::vector<std::string> changed_options(const Settings& settings) {
  std::vector<std::string> changed;
  for (const Field& field : linear_table().fields())
    if (settings.given(field.name) && settings[field.name] != field.initial)
      changed.push_back(field.name);
  return changed;
}

class LinearLearner final : public LossLearner<LinearLearner> {
 public:
  explicit LinearLearner(const Settings& settings)
      : LossLearner(squared_loss({})),
        options_(linear_table().read(settings)),
        changed_(changed_options(settings)) {}

  bool takes_any_loss() const override { return true; }

  bool takes_start() const override { return true; }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_gradients(options_, train);
  }

  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const Way way = choose_way(problem);
    require_use_of_options(way);
    if (way == Way::gradients) return train_by_gradients(problem, minimised(), options_, context);
    if (way == Way::exact) return train_ridge(problem, context);
    if (!problem.start.empty())
      throw Error(ErrorCode::usage, "‹optimizer cutting-plane› takes no ‹init›");
    return train_by_planes(problem, context);
  }

 private:
  Way choose_way(const TrainingProblem& problem) const {
    using Shape = LossTraits::Shape;
    if (options_.optimizer == Optimizer::cutting_plane) return Way::planes;
    const Shape shape = minimised().traits().shape;
    if (options_.optimizer != Optimizer::automatic || shape == Shape::not_convex ||
        !problem.start.empty())
      return Way::gradients;
    return shape == Shape::quadratic ? Way::exact : Way::planes;
  }
  void require_use_of_options(Way way) const {
    for (const std::string& name : changed_)
      if (const auto its = way_of(name); its && its != way)
        throw Error(ErrorCode::usage,
                    fmt::format("{} belongs to {}, and the loss {} is trained by {} here",
                                option(name), way_text(*its), minimised().name(), way_text(way)));
  }
  TrainingResult train_by_planes(const TrainingProblem& problem, Context& context) const {
    return train_by_cutting_planes(
        problem, minimised(),
        {.c = options_.c, .epsilon = options_.epsilon, .max_seconds = options_.max_seconds},
        context);
  }
  TrainingResult train_ridge(const TrainingProblem& problem, Context& context) const {
    const Quadratic quadratic = expand(minimised(), problem.train, context);
    const auto path = make_path(quadratic, problem.train, context);
    std::vector<double> lambdas = {options_.l2 > 0 ? options_.l2 : kPlainL2};
    if (options_.l2 == 0 && problem.valid) lambdas.assign(std::begin(kPath), std::end(kPath));
    RidgeState state;
    resume(context, state);
    TrainingResult result;
    const Deadline requests(0);
    while (state.log.size() < lambdas.size()) {
      if (!state.log.empty() && requests.reached(context)) {
        keep(context, state);
        result.termination = Termination::stopped;
        break;
      }
      const double lambda = lambdas[state.log.size()];
      state.last = path->solve(lambda, std::move(state.last));
      try {
        record(problem, lambda, lambdas.size(), to_model(quadratic, state.last), state, context);
      } catch (const Stopped&) {
        if (state.log.empty()) throw;
        result.termination = Termination::stopped;
        break;
      }
      keep_if_due(context, state);
    }
    result.model = std::move(state.model);
    result.best_iteration = state.iteration;
    result.chosen = {{"l2", lambdas[static_cast<std::size_t>(state.iteration - 1)]}};
    result.log = std::move(state.log);
    return result;
  }
  static void record(const TrainingProblem& problem, double lambda, std::size_t total, Linear model,
                     RidgeState& state, Context& context) {
    const bool first = state.log.empty();
    Iteration step{static_cast<std::int64_t>(state.log.size() + 1),
                   static_cast<std::int64_t>(total),
                   {{"l2", lambda}}};
    double value = 0;
    if (problem.valid) {
      value = evaluate(problem.measure, problem.convention, *problem.valid,
                       score(model, *problem.valid, context.pool), context);
      step.values.emplace_back("valid " + problem.measure->name(), value);
    }
    if (first || value > state.value) {
      state.value = value;
      state.model = std::move(model);
      state.iteration = step.number;
    }
    context.observer.iteration(step);
    state.log.push_back(std::move(step));
  }

  LinearOptions options_;
  std::vector<std::string> changed_;
};

}  // namespace

const Entry<Learner> kLinearLearner = {
    "linear", "a linear model for any loss; squared: ridge regression within queries", "",
    []() -> const std::vector<Field>& { return linear_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<LinearLearner>(settings);
    }};

}  // namespace podium
