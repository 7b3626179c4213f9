// Differs from [Tsai07]: the paper computes the loss after the best step of every weak ranker,
// which visits all pairs for each; here the ranker with the steepest descent of the loss is chosen,
// found from the documents' potentials.
#include "learners/weak_rankers/frank.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/loss_work.h"
#include "learners/preference_learner.h"
#include "losses/pairwise/long_pairs.h"

namespace podium {
namespace {

constexpr std::size_t kFRankQueryChunk = 4;
constexpr double kWidestProduct = 600;  // e^600 is far from overflow
constexpr double kSumsOfRound = 3;      // one for the potentials, two for the step

// e^{s_j − s_i} of a query's pairs, by position in by_grade.
class PairOdds {
 public:
  PairOdds(const GradedPairs::Query& query, std::span<const double> scores) {
    for (const std::uint32_t i : query.by_grade) scores_.push_back(scores[query.begin + i]);
    const auto [low, high] = std::minmax_element(scores_.begin(), scores_.end());
    wide_ = *high - *low > kWidestProduct;
    const double middle = *low + (*high - *low) / 2;
    for (const double s : scores_) {
      up_.push_back(math::exp(s - middle));
      down_.push_back(math::exp(middle - s));
    }
  }
  double operator()(std::size_t j, std::size_t i) const {
    return wide_ ? math::exp(scores_[j] - scores_[i]) : up_[j] * down_[i];
  }

 private:
  std::vector<double> scores_, up_, down_;
  bool wide_ = false;
};

struct Fidelity {
  explicit Fidelity(double odds) {
    const double p = 1 / (1 + odds);
    const double root = std::sqrt(p);
    const double miss = odds > 1 ? 1 - p : odds * p;  // 1 − p without cancellation
    loss = miss / (1 + root);
    weight = root * miss;
  }
  double loss, weight;
};

// The same of a preference: its weight includes the pair's own.
Fidelity fidelity_of(const GradedPairs::Query& query, const GradedPairs::Given& pair,
                     std::span<const double> scores) {
  Fidelity fidelity(
      math::exp(scores[query.begin + pair.worse] - scores[query.begin + pair.better]));
  fidelity.loss *= pair.weight;
  fidelity.weight *= pair.weight;
  return fidelity;
}

// visit(position of the better document, position of the worse one).
template <class Visit>
void for_each_pair(const GradedPairs::Query& query, StopCheck stop, Visit&& visit) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : query.ends) {
    for (std::uint32_t i = begin; i < end; ++i) {
      stop();
      for (std::uint32_t j = 0; j < begin; ++j) visit(i, j);
    }
    begin = end;
  }
}

// A long list's documents, best grade first, as LongList requires: position k is by_grade's k-th
// last.
class LongFidelity {
 public:
  LongFidelity(const GradedPairs::Query& query, std::span<const double> scores) : query_(query) {
    for (std::size_t place = 0; place < count(); ++place)
      scores_.push_back(scores[document(place)]);
    for (std::size_t run = query.ends.size(); run-- > 0;)
      ends_.push_back(static_cast<std::uint32_t>(count() - (run ? query.ends[run - 1] : 0)));
  }

  std::size_t count() const { return query_.by_grade.size(); }
  std::size_t document(std::size_t place) const {
    return query_.begin + query_.by_grade[count() - 1 - place];
  }
  bool can_sum() const { return list().can_sum(cost_); }

  // The loss, and twice the gradient of each document: √P (1 − P) over its pairs.
  struct Sums {
    double loss, weight;
    std::vector<double> pull;  // by position
  };
  Sums sum(std::span<const double> better, std::span<const double> worse, StopCheck stop) const {
    std::vector<double> first(count()), second(count());
    LongList::Sums sums{first, second, 0, 0, stop};
    list().add(cost_, {better, worse}, 1, sums);
    for (double& pull : first) pull *= -2;
    return {sums.value, 2 * sums.force, std::move(first)};
  }

 private:
  LongList list() const { return {scores_, {}, ends_}; }

  const GradedPairs::Query& query_;
  PairCost cost_ = fidelity_cost();
  std::vector<double> scores_;
  std::vector<std::uint32_t> ends_;
};

std::optional<LongFidelity> long_list(const GradedPairs::Query& query,
                                      std::span<const double> scores) {
  if (query.by_grade.size() <= kShortList) return {};
  LongFidelity list(query, scores);
  return list.can_sum() ? std::optional(std::move(list)) : std::nullopt;
}

// The loss, pair weight and potentials of the query's pairs of grades.
PairRisk::State evaluate_grades(const GradedPairs::Query& query, std::span<const double> scores,
                                std::span<double> potentials, StopCheck stop) {
  if (const auto list = long_list(query, scores)) {
    const std::vector<double> ones(list->count(), 1.0);
    const LongFidelity::Sums sums = list->sum(ones, ones, stop);
    for (std::size_t place = 0; place < ones.size(); ++place)
      potentials[list->document(place)] = query.weight * sums.pull[place];
    return {query.weight * sums.loss, query.weight * sums.weight};
  }
  const PairOdds odds(query, scores);
  std::vector<double> pull(query.by_grade.size());
  PairRisk::State state{};
  for_each_pair(query, stop, [&](std::uint32_t i, std::uint32_t j) {
    const Fidelity pair(odds(j, i));
    state.objective += pair.loss;
    state.weight += pair.weight;
    pull[i] += pair.weight;
    pull[j] -= pair.weight;
  });
  for (std::size_t k = 0; k < pull.size(); ++k)
    potentials[query.begin + query.by_grade[k]] = query.weight * pull[k];
  return {query.weight * state.objective, query.weight * state.weight};
}

// With those of its preferences.
PairRisk::State evaluate_query(const GradedPairs::Query& query, std::span<const double> scores,
                               std::span<double> potentials, StopCheck stop) {
  PairRisk::State state{};
  if (query.ends.size() > 1) state = evaluate_grades(query, scores, potentials, stop);
  for (const GradedPairs::Given& pair : query.given) {
    stop();
    const Fidelity fidelity = fidelity_of(query, pair, scores);
    state.objective += fidelity.loss;
    state.weight += fidelity.weight;
    potentials[query.begin + pair.better] += fidelity.weight;
    potentials[query.begin + pair.worse] -= fidelity.weight;
  }
  return state;
}

// The weight of the pairs of grades that h orders correctly, and of those that it orders wrongly.
PairRisk::Split split_grades(const GradedPairs::Query& query, std::span<const double> scores,
                             std::span<const std::uint8_t> h, StopCheck stop) {
  if (const auto list = long_list(query, scores)) {
    std::vector<double> yes, no;
    for (std::size_t place = 0; place < list->count(); ++place) {
      yes.push_back(h[list->document(place)]);
      no.push_back(1 - yes.back());
    }
    return {query.weight * list->sum(yes, no, stop).weight,
            query.weight * list->sum(no, yes, stop).weight};
  }
  const PairOdds odds(query, scores);
  const auto says = [&](std::uint32_t k) { return h[query.begin + query.by_grade[k]]; };
  PairRisk::Split split{};
  for_each_pair(query, stop, [&](std::uint32_t i, std::uint32_t j) {
    if (says(i) == says(j)) return;
    (says(i) ? split.right : split.wrong) += query.weight * Fidelity(odds(j, i)).weight;
  });
  return split;
}

PairRisk::Split split_query(const GradedPairs::Query& query, std::span<const double> scores,
                            std::span<const std::uint8_t> h, StopCheck stop) {
  PairRisk::Split split{};
  if (query.ends.size() > 1) split = split_grades(query, scores, h, stop);
  for (const GradedPairs::Given& pair : query.given) {
    stop();
    const std::uint8_t better = h[query.begin + pair.better], worse = h[query.begin + pair.worse];
    if (better == worse) continue;
    (better ? split.right : split.wrong) += fidelity_of(query, pair, scores).weight;
  }
  return split;
}

struct FRankOptions : ThresholdBoostingOptions {
  FRankOptions() { learning_rate = 0.5; }
};

const OptionTable<FRankOptions>& frank_table() {
  static const auto options = threshold_boosting_table<FRankOptions>();
  return options;
}

class FRank final : public PreferenceLearner {
 public:
  explicit FRank(FRankOptions options) : options_(std::move(options)) {}

  std::unique_ptr<const Learner> with_preferences(
      TrainingSpec::Preferences preferences) const override {
    FRankOptions options = options_;
    options.preferences = preferences;
    return std::make_unique<FRank>(std::move(options));
  }
  std::string preference_loss() const override {
    return preference_loss_text("fidelity-pairs", options_);
  }

  bool takes_missing_values() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const GradedPairs pairs(problem.train, options_, context);
    note_work(*parse_loss("fidelity-pairs"), problem.train, options_.rounds, context, kSumsOfRound);
    FidelityPairs risk(pairs, context);
    return boost_threshold_rankers(problem, pairs, risk, options_, context);
  }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_threshold_rankers(train);
  }

 private:
  FRankOptions options_;
};

}  // namespace

PairRisk::State FidelityPairs::evaluate(std::span<const double> scores,
                                        std::span<double> potentials) {
  std::fill(potentials.begin(), potentials.end(), 0.0);
  const auto queries = pairs_.queries();
  const StopCheck stop = stop_inside(context_);
  std::vector<double> losses(queries.size()), weights(queries.size());
  parallel_for(context_.pool, queries.size(), kFRankQueryChunk,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t q = first; q < last; ++q) {
                   const State state = evaluate_query(queries[q], scores, potentials, stop);
                   losses[q] = state.objective;
                   weights[q] = state.weight;
                 }
               });
  return {sum_over_ranks(losses, context_.comm), sum_over_ranks(weights, context_.comm)};
}

PairRisk::Split FidelityPairs::split(std::span<const double> scores,
                                     std::span<const std::uint8_t> h) {
  const auto queries = pairs_.queries();
  const StopCheck stop = stop_inside(context_);
  std::vector<double> right(queries.size()), wrong(queries.size());
  parallel_for(context_.pool, queries.size(), kFRankQueryChunk,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t q = first; q < last; ++q) {
                   const Split split = split_query(queries[q], scores, h, stop);
                   right[q] = split.right;
                   wrong[q] = split.wrong;
                 }
               });
  return {sum_over_ranks(right, context_.comm), sum_over_ranks(wrong, context_.comm)};
}

const Entry<Learner> kFRank = {
    "frank", "boosting of threshold rankers for the fidelity loss over pairs", "Tsai07",
    []() -> const std::vector<Field>& { return frank_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<FRank>(frank_table().read(settings));
    }};

}  // namespace podium
