// Regression-EM [Wang18b]: P(c) = θ_p σ(f(x_d)), by alternating
//   θ at fixed f: E: P(examined | no click) = θ(1 − γ)/(1 − θγ), M: means with the prior
//     (examination_em.h), some steps each time;
//   f at fixed θ: E: r_d = Σ (c + (n − c) γ(1 − θ)/(1 − θγ)) / Σ n over the cells of d; M: f is
//     refitted to the soft labels r_d, n_d times each, by the logistic loss.
// A refit that lowers what the M-step maximises, Q = Σ n (r log γ + (1 − r) log(1 − γ)), is halved
// towards the scores before until it does not: so the objective (log-likelihood and prior of θ)
// never falls. θ of the first position that was shown is 1.
//
// Differs from [Wang18b]: whole soft labels instead of labels drawn from them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "clicks/relevance_regression.h"
#include "core/math_functions.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kRegressionChunk = 1024;  // documents per task
constexpr std::int64_t kThetaSteps = 9;         // between refits
constexpr int kHalvings = 12;
constexpr double kSmallestRelevance = 1e-6;

double logistic(double s) {
  const double e = math::exp(-std::abs(s));
  return std::clamp(s >= 0 ? 1 / (1 + e) : e / (1 + e), kSmallestRelevance, 1 - kSmallestRelevance);
}

struct ThetaSums {
  std::vector<double> hits, count;  // of each position
  double objective = 0;
};

// θ of the positions, at fixed γ.
class ThetaStep {
 public:
  ThetaStep(const ClickFitting& fitting, const Anchors& anchors, const std::vector<double>& gamma)
      : fitting_(fitting), anchors_(anchors), gamma_(gamma) {}

  double operator()(std::span<const double> in, std::span<double> out) const {
    const std::size_t n = in.size();
    const ThetaSums none{std::vector<double>(n), std::vector<double>(n), 0};
    const ThetaSums total = parallel_reduce(
        fitting_.pool, gamma_.size(), kRegressionChunk, none,
        [&](std::size_t begin, std::size_t end) {
          ThetaSums sums = none;
          for (std::size_t d = begin; d < end; ++d) add(d, in, sums);
          return sums;
        },
        [&](ThetaSums& sum, const ThetaSums& part) {
          for (std::size_t p = 0; p < n; ++p) {
            sum.hits[p] += part.hits[p];
            sum.count[p] += part.count[p];
          }
          sum.objective += part.objective;
        });
    double objective = total.objective;
    for (std::size_t p = 0; p < n; ++p) {
      const bool free = !anchors_.fixed[p];
      if (free) objective += fitting_.prior.log_density(in[p]);
      out[p] = !free || total.count[p] == 0 ? anchors_.values[p]
                                            : fitting_.prior.mean(total.hits[p], total.count[p]);
    }
    return objective;
  }

 private:
  void add(std::size_t d, std::span<const double> in, ThetaSums& sums) const {
    const double gamma = gamma_[d];
    for (const ClickCell& cell : fitting_.log.cells_of(d)) {
      const std::size_t p = cell.position - 1;
      const double theta = anchors_.fixed[p] ? anchors_.values[p] : in[p];
      const double click = theta * gamma, skipped = cell.shown - cell.clicked;
      const double none = std::max(1 - click, kSmallestProbability);
      sums.objective += (cell.clicked > 0 ? cell.clicked * math::log(click) : 0) +
                        (skipped > 0 ? skipped * math::log(none) : 0);
      sums.hits[p] += cell.clicked + skipped * theta * (1 - gamma) / none;
      sums.count[p] += cell.shown;
    }
  }

  const ClickFitting& fitting_;
  const Anchors& anchors_;
  const std::vector<double>& gamma_;
};

// The soft labels of the documents.
struct Posterior {
  std::vector<double> relevance, count;
};

class RegressionEm {
 public:
  RegressionEm(const ClickFitting& fitting, const Dataset& data, Anchors anchors, Context& context)
      : fitting_(fitting),
        context_(context),
        anchors_(std::move(anchors)),
        theta_(first_theta()),
        gamma_(first_gamma()),
        regression_(data, fitting.log, fitting.options.relevance_learner, gamma_, context) {
    const double start = overall();
    scores_.assign(gamma_.size(), math::log(start / (1 - start)));
    set_scores(scores_);
  }

  void run(ClickModel& model) {
    improve_theta(kThetaSteps, model);
    std::vector<double> after;  // the objective after each refit
    while (model.ended.empty()) {
      if (context_.stop.stop_requested()) throw Stopped();
      if (!improve_relevance()) model.ended = "because another would not raise the likelihood";
      ++model.refits;
      improve_theta(kThetaSteps, model);
      after.push_back(model.objective.back());
      if (model.ended.empty() && stalls(after))
        model.ended = fmt::format("until three changed the objective by less than {:g} of it",
                                  fitting_.options.refit_tolerance);
      if (model.ended.empty() && model.refits >= fitting_.options.refits)
        model.ended = "the maximum";
    }
    improve_theta(fitting_.options.iterations, model);
    model.propensities = std::move(theta_);
    model.attraction = std::move(gamma_);
  }

 private:
  std::vector<double> first_theta() const {
    std::vector<double> theta = anchors_.values;
    for (std::size_t p = 0; p < theta.size(); ++p)
      if (!anchors_.fixed[p]) theta[p] = 1 / static_cast<double>(p + 1);
    return theta;
  }
  // Of each document: how often it is clicked where it is examined.
  std::vector<double> first_gamma() const {
    std::vector<double> gamma;
    for (std::size_t d = 0; d < fitting_.log.documents(); ++d) {
      double clicks = 0.5, exposure = 1;
      for (const ClickCell& cell : fitting_.log.cells_of(d)) {
        clicks += cell.clicked;
        exposure += cell.shown * theta_[cell.position - 1];
      }
      gamma.push_back(std::clamp(clicks / exposure, 0.01, 0.99));
    }
    return gamma;
  }
  double overall() const {
    double clicks = 0.5, exposure = 1;
    for (const ClickCell& cell : fitting_.log.cells) {
      clicks += cell.clicked;
      exposure += cell.shown * theta_[cell.position - 1];
    }
    return std::clamp(clicks / exposure, 0.01, 0.99);
  }

  void set_scores(const std::vector<double>& scores) {
    scores_ = scores;
    for (std::size_t d = 0; d < scores_.size(); ++d) gamma_[d] = logistic(scores_[d]);
  }

  void improve_theta(std::int64_t steps, ClickModel& model) {
    const std::vector<double> objective = accelerated_em(
        theta_, ThetaStep(fitting_, anchors_, gamma_), steps, fitting_.options.tolerance);
    model.objective.insert(model.objective.end(), objective.begin(), objective.end());
    for (std::size_t p = 0; p < theta_.size(); ++p)
      if (anchors_.fixed[p]) theta_[p] = anchors_.values[p];
  }

  Posterior posterior() const {
    const ClickLog& log = fitting_.log;
    Posterior result{std::vector<double>(gamma_), std::vector<double>(gamma_.size())};
    parallel_for(fitting_.pool, gamma_.size(), kRegressionChunk,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t d = begin; d < end; ++d) {
                     double relevant = 0, count = 0;
                     for (const ClickCell& cell : log.cells_of(d)) {
                       const double theta = theta_[cell.position - 1];
                       relevant += cell.clicked + (cell.shown - cell.clicked) * gamma_[d] *
                                                      (1 - theta) / (1 - theta * gamma_[d]);
                       count += cell.shown;
                     }
                     if (count > 0) result.relevance[d] = relevant / count;
                     result.count[d] = count;
                   }
                 });
    return result;
  }

  // What f maximises.
  static double expected(const Posterior& soft, const std::vector<double>& scores) {
    double sum = 0;
    for (std::size_t d = 0; d < scores.size(); ++d) {
      const double gamma = logistic(scores[d]);
      sum += soft.count[d] * (soft.relevance[d] * math::log(gamma) +
                              (1 - soft.relevance[d]) * math::log(1 - gamma));
    }
    return sum;
  }

  // Whether f has become better.
  bool improve_relevance() {
    const Posterior soft = posterior();
    const double before = expected(soft, scores_);
    std::vector<double> next = regression_.refit(scores_, soft.relevance, soft.count);
    for (int halving = 0; halving < kHalvings; ++halving) {
      if (expected(soft, next) > before) {
        set_scores(next);
        return true;
      }
      for (std::size_t d = 0; d < next.size(); ++d) next[d] = (next[d] + scores_[d]) / 2;
    }
    return false;
  }

  bool stalls(const std::vector<double>& after) const {
    const std::size_t n = after.size();
    return n > 3 && after[n - 1] - after[n - 4] <=
                        fitting_.options.refit_tolerance * (std::abs(after[n - 1]) + 1);
  }

  const ClickFitting& fitting_;
  Context& context_;
  Anchors anchors_;
  std::vector<double> theta_, gamma_, scores_;
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

}  // namespace

void fit_regression(const ClickFitting& fitting, const Dataset& data,
                    const std::vector<double>* given, Context& context, ClickModel& model) {
  if (!fitting.options.assume.empty())
    throw Error(ErrorCode::usage,
                "‹assume› is not for ‹model regression-em›, whose learner compares the positions");
  const Connectivity graph = connectivity(fitting.log);
  model.components = graph.components;
  if (graph.components > 1 && !given)
    context.observer.note(fmt::format(
        "no clicked document connects the positions {}: their propensities are compared only by "
        "the relevance that {} predicts from features, and are wrong where it is. Nothing in the "
        "log can show that; features that tell the position make it likely",
        component_text(graph), fitting.options.relevance_learner));
  model.relevance_learner = fitting.options.relevance_learner;
  model.seed = context.seed;
  RegressionEm(fitting, data, regression_anchors(fitting.log, graph, given), context).run(model);
  count_exposure(fitting.log, model);
}

}  // namespace podium
