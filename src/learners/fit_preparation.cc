#include "learners/fit_preparation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/random.h"
#include "data/content.h"
#include "data/present_features.h"
#include "distributed/over_ranks.h"
#include "podium/learner.h"

namespace podium {
namespace {

// Candidates are compared on about this many training documents.
constexpr double kJudgedDocuments = 100'000;
constexpr std::uint64_t kJudgedStream = 0x696d70757465;  // "impute": a separate random stream

struct Candidate {
  Imputation rule;
  Indicators indicators;
  double value = 0;

  std::string text() const {
    return fmt::format("{}{}", to_text(rule), indicators == Indicators::yes ? "+indicators" : "");
  }
};

// Those that need no other documents come first: they win ties.
std::vector<Candidate> candidates(Indicators wanted) {
  using enum Imputation;
  const bool with = wanted != Indicators::no, without = wanted != Indicators::yes;
  std::vector<Candidate> all;
  if (without) all.push_back({zero, Indicators::no});
  if (with) all.push_back({mean, Indicators::yes});
  if (without && !with) all.push_back({mean, Indicators::no});
  if (with) all.push_back({query_mean, Indicators::yes});
  if (without) all.push_back({query_min, Indicators::no});
  if (with) all.push_back({query_min, Indicators::yes});
  return all;
}

// A random part of the queries if there are many documents.
Dataset sample_of(const Dataset& train, Context& context) {
  const auto documents = static_cast<double>(count_over_ranks(train.documents(), context.comm));
  if (documents <= kJudgedDocuments) return train;
  std::vector<std::size_t> queries;
  const Dataset known = with_content(train, {}, context);
  for (std::size_t q = 0; q < train.queries(); ++q)
    if (Random(kJudgedStream, known.query_key(q)).uniform() < kJudgedDocuments / documents)
      queries.push_back(q);
  return count_over_ranks(queries.size(), context.comm) > 0 ? select_queries(train, queries)
                                                            : train;
}

// The measure on the validation data of ridge regression with this candidate.
double judged(const TransformOptions& steps, const Dataset& train, const PreparationJudge& judge,
              Context& context) {
  Observer silent;
  Context quiet{context.seed, context.pool, context.comm, silent, context.stop};
  const Transform transform = fit_training_transform(steps, train, quiet);
  const Dataset prepared = in_content_order(
      with_content(apply_to_training(transform, train, quiet), {}, quiet), quiet.pool);
  const Dataset valid = apply(transform, *judge.valid, quiet);
  const Entry<Learner>& ridge = learners().at("linear");
  const auto learner = ridge.make(Settings(ridge.options(), {}));
  const TrainingResult result =
      learner->train({prepared, &valid, judge.measure, judge.convention}, quiet);
  return evaluate(judge.measure, judge.convention, valid, score(result.model, valid, quiet), quiet);
}

std::size_t missing_features(const TransformOptions& steps, const Dataset& train,
                             Context& context) {
  const std::vector<bool> raw = missing_somewhere(train, context);
  if (std::find(raw.begin(), raw.end(), true) == raw.end()) return 0;
  if (steps.features.empty())
    return static_cast<std::size_t>(std::count(raw.begin(), raw.end(), true));
  Transform selection;
  selection.features = parse_feature_list(steps.features, train);
  const std::vector<bool> kept = missing_somewhere(apply(selection, train, context), context);
  return static_cast<std::size_t>(std::count(kept.begin(), kept.end(), true));
}

Candidate choose_by_validation(const TransformOptions& steps, const Dataset& train,
                               std::size_t missing, const PreparationJudge& judge,
                               Context& context) {
  const Dataset sample = sample_of(train, context);
  std::vector<Candidate> all = candidates(steps.indicators);
  std::string values;
  Candidate* best = nullptr;
  for (Candidate& candidate : all) {
    TransformOptions tried = steps;
    tried.impute = candidate.rule;
    tried.indicators = candidate.indicators;
    candidate.value = judged(tried, sample, judge, context);
    if (!best || candidate.value > best->value || std::isnan(best->value)) best = &candidate;
    values +=
        fmt::format("{}{} {:.4f}", values.empty() ? "" : ", ", candidate.text(), candidate.value);
  }
  context.observer.note(fmt::format(
      "{} missing values: ‹impute {}› ‹indicators {}›, the best on the validation data ({} of "
      "ridge regression: {})",
      missing == 1 ? "1 feature has" : fmt::format("{} features have", missing),
      to_text(best->rule), to_text(best->indicators), judge.measure->name(), values));
  return *best;
}

}  // namespace

Transform fit_preparation(TransformOptions steps, const Dataset& train,
                          const PreparationJudge& judge, Context& context) {
  if (steps.impute == Imputation::automatic) {
    steps.impute = Imputation::none;
    if (const std::size_t missing = missing_features(steps, train, context); missing > 0) {
      Candidate chosen{Imputation::mean,
                       steps.indicators == Indicators::no ? Indicators::no : Indicators::yes};
      if (judge.valid)
        chosen = choose_by_validation(steps, train, missing, judge, context);
      else
        context.observer.note(
            fmt::format("{} missing values: ‹impute mean› ‹indicators {}›, as there is no "
                        "validation data to choose by",
                        missing == 1 ? "1 feature has" : fmt::format("{} features have", missing),
                        to_text(chosen.indicators)));
      steps.impute = chosen.rule;
      steps.indicators = chosen.indicators;
    }
  }
  return fit_training_transform(steps, train, context);
}

}  // namespace podium
