// AdaRank [Xu07]: boosting over queries for any measure E. Weak rankers are the features, each
// either way round. With P(q) the queries' weights, every round
//
//   takes the weak ranker h with the largest Σ_q P(q) E_q(h),
//   adds it with weight α = ½ ln [ Σ_q P(q) (1 + E_q(h)) / Σ_q P(q) (1 − E_q(h)) ],
//   sets P(q) ∝ exp(−E_q(f)) for the ranking by the sum f so far.
//
// E_q of every weak ranker is computed once, so a round costs one product with that matrix and one
// evaluation of f.
//
// Differs from [Xu07]: as long as f ranks as its newest feature alone does, P stays as it is and
// the same feature would be taken for ever. So a feature that did not change the measure on the
// training data by more than `tolerance` is set aside until another one does.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "learners/catalog.h"
#include "learners/early_stopping.h"
#include "distributed/over_ranks.h"
#include "models/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kUnit = 0x1.0p60;   // of P · E in fixed point
constexpr double kSmoothing = 1e-9;  // of α, where a weak ranker is perfect
constexpr double kRounding = 1e-9;   // by which a measure may exceed 1
constexpr std::size_t kCandidateChunk = 8;

struct AdaRankOptions {
  std::string objective = "auto";
  std::int64_t rounds = 500;
  double tolerance = 0.002;
  std::string signs = "both";
  std::int64_t early_stopping = 100;
  double max_seconds = 0;
};

const OptionTable<AdaRankOptions>& table() {
  static const auto options =
      OptionTable<AdaRankOptions>()
          .add("objective", &AdaRankOptions::objective,
               "the measure to optimise, e.g. AP or nDCG@5; auto: the one of --measure")
          .add("rounds", &AdaRankOptions::rounds, "most weak rankers", at_least(1))
          .add("tolerance", &AdaRankOptions::tolerance,
               "a feature that changes the training measure by no more is set aside for a while",
               at_least(0))
          .add("signs", &AdaRankOptions::signs, "features as they are, or either way round",
               {"both", "plus"})
          .add("early-stopping", &AdaRankOptions::early_stopping,
               "stop when the validation measure has not improved for this many rounds; 0: never",
               at_least(0))
          .add("max-seconds", &AdaRankOptions::max_seconds, "stop after this time; 0: never",
               at_least(0))
          .search("tolerance", by_factors(1e-5, 1e-2))
          .search("signs", among({"both", "plus"}));
  return options;
}

class Booster {
 public:
  Booster(const TrainingProblem& problem, const AdaRankOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        signs_(options.signs == "both" ? 2 : 1),
        objective_(
            {options.objective == "auto" ? problem.measure
                                         : parse_measure(options.objective, problem.convention)},
            with_skips(problem.convention)),
        scores_(problem.train.documents()),
        aside_(problem.train.features()),
        model_{std::vector<double>(problem.train.features()), 0} {}

  TrainingResult run();

 private:
  // A query for which the measure is undefined says nothing: it is left out, whatever it counts.
  static Convention with_skips(Convention convention) {
    convention.empty = EmptyQuery::skip;
    return convention;
  }
  std::string objective_name() const { return objective_.measures()[0]->name(); }

  enum class Ready { yes, stopped };
  Ready evaluate_features();
  void weigh_queries(std::span<const double> values);
  struct Choice {
    std::size_t candidate;
    double value;  // Σ P E
  };
  std::optional<Choice> choose() const;
  void add(const Choice& choice);
  double validate();
  std::optional<Termination> interrupted() const;

  const TrainingProblem& problem_;
  const AdaRankOptions& options_;
  Context& context_;
  std::size_t signs_;
  Evaluator objective_;
  std::vector<std::size_t> queries_;       // those with a value
  std::vector<std::vector<double>> weak_;  // [feature · signs + sign][of queries_]
  std::vector<double> weights_;            // P, of queries_
  std::vector<double> scores_;
  std::vector<std::uint8_t> aside_;  // one a feature
  Linear model_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

Booster::Ready Booster::evaluate_features() {
  const Dataset& data = problem_.train;
  const auto first = objective_.evaluate(data, scores_, context_).per_query[0];
  for (std::size_t q = 0; q < first.size(); ++q)
    if (!std::isnan(first[q]) && data.query_weight(q) > 0) queries_.push_back(q);
  std::int64_t used = static_cast<std::int64_t>(queries_.size());
  context_.comm.all_reduce_sum(std::span(&used, 1));
  if (used == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query says anything to {}: each lacks a relevant document (see "
                            "--relevant-from) or has weight 0",
                            objective_name()));
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (interrupted()) return Ready::stopped;
    std::vector<double> column = feature_column(data, f, context_.pool);
    for (std::size_t sign = 0; sign < signs_; ++sign) {
      const auto values = objective_.evaluate(data, column, context_).per_query[0];
      auto& kept = weak_.emplace_back();
      for (const std::size_t q : queries_) {
        if (!(std::abs(values[q]) <= 1 + kRounding))
          throw Error(ErrorCode::usage,
                      fmt::format("--objective {}: adarank needs a measure between -1 and 1 for "
                                  "each query, such as AP or nDCG@10",
                                  objective_name()));
        kept.push_back(std::clamp(values[q], -1.0, 1.0));
      }
      for (double& x : column) x = -x;
    }
  }
  return Ready::yes;
}

// P ∝ query weight · exp(−E), summing to 1 over all ranks.
void Booster::weigh_queries(std::span<const double> values) {
  weights_.resize(queries_.size());
  for (std::size_t k = 0; k < queries_.size(); ++k)
    weights_[k] = problem_.train.query_weight(queries_[k]) *
                  (values.empty() ? 1.0 : std::exp(-values[queries_[k]]));
  const double total = sum_over_ranks(weights_, context_.comm);
  for (double& w : weights_) w /= total;
}

std::optional<Booster::Choice> Booster::choose() const {
  std::vector<std::int64_t> sums(weak_.size());
  parallel_for(context_.pool, weak_.size(), kCandidateChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t c = begin; c < end; ++c)
                   for (std::size_t k = 0; k < weights_.size(); ++k)
                     sums[c] += std::llround(weights_[k] * weak_[c][k] * kUnit);
               });
  context_.comm.all_reduce_sum(std::span(sums));
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < sums.size(); ++c)
    if (!aside_[c / signs_] && (!best || sums[c] > sums[*best])) best = c;
  if (!best) return std::nullopt;
  return Choice{*best, static_cast<double>(sums[*best]) / kUnit};
}

void Booster::add(const Choice& choice) {
  const std::size_t feature = choice.candidate / signs_;
  const double sign = choice.candidate % signs_ ? -1 : 1;
  const double weight =
      sign * 0.5 * std::log((1 + choice.value + kSmoothing) / (1 - choice.value + kSmoothing));
  model_.weights[feature] += weight;
  const auto column = feature_column(problem_.train, feature, context_.pool);
  for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += weight * column[i];
}

double Booster::validate() {
  return evaluate(problem_.measure, problem_.convention, *problem_.valid,
                  score(model_, *problem_.valid, context_.pool), context_);
}

std::optional<Termination> Booster::interrupted() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  std::array<std::int64_t, 2> wanted = {context_.stop.stop_requested(),
                                        options_.max_seconds > 0 && seconds > options_.max_seconds};
  context_.comm.all_reduce_sum(wanted);
  if (wanted[0]) return Termination::stopped;
  if (wanted[1]) return Termination::time_limit;
  return {};
}

TrainingResult Booster::run() {
  TrainingResult result;
  result.why = Termination::iteration_limit;
  if (problem_.train.features() == 0)
    throw Error(ErrorCode::data, "the training data has no features");
  context_.observer.phase("evaluating features");
  const Ready ready = evaluate_features();
  result.skipped_queries = problem_.train.queries() - queries_.size();
  weigh_queries({});
  context_.observer.phase("boosting");
  EarlyStopping best(options_.early_stopping);
  Linear best_model = model_;
  double previous = -1;
  for (std::int64_t round = 1; round <= options_.rounds; ++round) {
    if (const auto why = interrupted(); why || ready == Ready::stopped) {
      result.why = why.value_or(Termination::stopped);
      break;
    }
    const auto choice = choose();
    if (!choice) {
      result.why = Termination::converged;
      break;
    }
    add(*choice);
    const Evaluation evaluation = objective_.evaluate(problem_.train, scores_, context_);
    weigh_queries(evaluation.per_query[0]);
    const double value = evaluation.values[0];
    if (std::abs(value - previous) > options_.tolerance)
      std::fill(aside_.begin(), aside_.end(), 0);
    else
      aside_[choice->candidate / signs_] = 1;
    previous = value;

    Iteration step{round, options_.rounds, {{"train " + objective_name(), value}}};
    double chosen_by = value;
    if (problem_.valid) {
      chosen_by = validate();
      step.values.emplace_back("valid " + problem_.measure->name(), chosen_by);
    }
    if (best.improves(round, chosen_by)) best_model = model_;
    context_.observer.iteration(step);
    result.log.push_back(std::move(step));
    if (best.should_stop()) {
      result.why = Termination::early_stopping;
      break;
    }
  }
  result.best_iteration = std::max<std::int64_t>(best.best_round(), 0);
  result.model = std::move(best_model);
  return result;
}

class AdaRank final : public Learner {
 public:
  explicit AdaRank(AdaRankOptions options) : options_(std::move(options)) {}
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    return Booster(problem, options_, context).run();
  }

 private:
  AdaRankOptions options_;
};

}  // namespace

const Entry<Learner> kAdaRank = {
    "adarank", "boosting of features for any measure, over re-weighted queries", "Xu07",
    []() -> const std::vector<Field>& { return table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<AdaRank>(table().read(settings));
    }};

}  // namespace podium
