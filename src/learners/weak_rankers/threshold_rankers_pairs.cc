#include "learners/weak_rankers/threshold_rankers_pairs.h"

#include <algorithm>
#include <numeric>

#include "distributed/over_ranks.h"
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

}  // namespace

GradedPairs::GradedPairs(const Dataset& data, const PairOptions& options, Context& context)
    : documents_(data.documents()) {
  const bool binary = options.labels == PairOptions::Labels::binary;
  std::vector<double> counts, weights;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    const auto grade = [&](std::uint32_t i) {
      return binary ? static_cast<float>(labels[i] >= options.relevant_from) : labels[i];
    };
    Query query{q, data.begin(q), std::vector<std::uint32_t>(labels.size()), {}, 0};
    std::iota(query.by_grade.begin(), query.by_grade.end(), 0U);
    std::stable_sort(query.by_grade.begin(), query.by_grade.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return grade(a) < grade(b); });
    for (std::uint32_t k = 1; k <= labels.size(); ++k)
      if (k == labels.size() || grade(query.by_grade[k - 1]) != grade(query.by_grade[k]))
        query.ends.push_back(k);
    const double weight = data.query_weight(q);
    const double pairs = pairs_of(query);
    if (!(pairs > 0 && weight > 0)) {
      ++skipped_;
      continue;
    }
    query.weight = options.pairs == PairScale::average ? weight / pairs : weight;
    counts.push_back(pairs);
    weights.push_back(query.weight * pairs);
    queries_.push_back(std::move(query));
  }
  count_ = sum_over_ranks(counts, context.comm);
  const double total = sum_over_ranks(weights, context.comm);
  if (!(total > 0))
    throw Error(ErrorCode::training,
                binary ? "no query has both relevant and non-relevant documents: nothing to learn "
                         "from (see ‹relevant-from›)"
                       : "no query has documents of different grades: nothing to learn from");
  for (Query& query : queries_) query.weight /= total;
}

}  // namespace podium
