#include "learners/weak_rankers/threshold_rankers_pairs.h"

#include <algorithm>
#include <numeric>

#include "distributed/over_ranks.h"
#include "losses/catalog.h"
#include "podium/error.h"

namespace podium {
namespace {

double pairs_of(const GradedPairs::Query& query) {
  double pairs = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : query.ends) {
    pairs += static_cast<double>(begin) * static_cast<double>(end - begin);
    begin = end;
  }
  return pairs;
}

using Preferences = TrainingSpec::Preferences;

// Those that count, of a query of weight v; their weights are v w, or v w / P.
std::vector<GradedPairs::Given> given_pairs(std::span<const Preference> preferences,
                                            const PairOptions& options, double query_weight) {
  std::vector<GradedPairs::Given> given;
  if (options.preferences == Preferences::none) return given;
  const double scale = options.pairs == PairScale::average
                           ? query_weight / static_cast<double>(preferences.size())
                           : query_weight;
  for (const Preference& pair : preferences)
    if (scale * pair.weight > 0) given.push_back({pair.better, pair.worse, scale * pair.weight});
  return given;
}

std::string no_pairs_text(const PairOptions& options) {
  if (options.preferences == Preferences::instead_of_grades)
    return "no preference has a weight above 0: nothing to learn from";
  return options.labels == PairOptions::Labels::binary
             ? "no query has both relevant and non-relevant documents: nothing to learn from (see "
               "‹relevant-from›)"
             : "no query has documents of different grades: nothing to learn from";
}

}  // namespace

std::string preference_loss_text(std::string_view loss, const PairOptions& options) {
  if (options.preferences == Preferences::none) return "";
  const SharedLoss of_grades =
      parse_loss(std::string(loss) + (options.pairs == PairScale::sum ? "(pairs=sum)" : ""));
  SharedLoss of_preferences = of_grades->over_preferences();
  if (options.preferences == Preferences::instead_of_grades) return of_preferences->name();
  return sum_of_losses({{1.0, of_grades}, {1.0, std::move(of_preferences)}})->name();
}

GradedPairs::GradedPairs(const Dataset& data, const PairOptions& options, Context& context)
    : documents_(data.documents()) {
  const bool binary = options.labels == PairOptions::Labels::binary;
  std::vector<double> counts, weights;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    const auto grade = [&](std::uint32_t i) {
      if (options.preferences == Preferences::instead_of_grades) return 0.0F;
      return binary ? static_cast<float>(labels[i] >= options.relevant_from) : labels[i];
    };
    Query query{q, data.begin(q), std::vector<std::uint32_t>(labels.size()), {}, 0, {}};
    std::iota(query.by_grade.begin(), query.by_grade.end(), 0U);
    std::stable_sort(query.by_grade.begin(), query.by_grade.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return grade(a) < grade(b); });
    for (std::uint32_t k = 1; k <= labels.size(); ++k)
      if (k == labels.size() || grade(query.by_grade[k - 1]) != grade(query.by_grade[k]))
        query.ends.push_back(k);
    const double weight = data.query_weight(q);
    const double pairs = pairs_of(query);
    query.given = given_pairs(data.preferences(q), options, weight);
    if (!((pairs > 0 && weight > 0) || !query.given.empty())) {
      ++skipped_;
      continue;
    }
    query.weight = options.pairs == PairScale::average && pairs > 0 ? weight / pairs : weight;
    double given = 0;
    for (const Given& pair : query.given) given += pair.weight;
    counts.push_back(pairs + static_cast<double>(query.given.size()));
    weights.push_back(query.weight * pairs + given);
    queries_.push_back(std::move(query));
  }
  count_ = sum_over_ranks(counts, context.comm);
  const double total = sum_over_ranks(weights, context.comm);
  if (!(total > 0)) throw Error(ErrorCode::training, no_pairs_text(options));
  for (Query& query : queries_) {
    query.weight /= total;
    for (Given& pair : query.given) pair.weight /= total;
  }
}

}  // namespace podium
