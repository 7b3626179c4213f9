#include "measures/query_values.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "measures/aggregate.h"
#include "measures/labels.h"
#include "measures/query_ranker.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kSkipped = std::numeric_limits<double>::quiet_NaN();

double value_of_undefined(EmptyQuery empty) {
  switch (empty) {
    case EmptyQuery::zero:
      return 0;
    case EmptyQuery::one:
      return 1;
    case EmptyQuery::skip:
      return kSkipped;
  }
  return kSkipped;
}

// Sums over the ranks, on every rank.
void add_over_ranks(std::vector<WeightedSum>& sums, Evaluation& evaluation, Communicator& comm) {
  if (comm.size() == 1) return;
  std::vector<std::byte> mine;
  for (const WeightedSum& sum : sums)
    for (const ExactSum* part : {&sum.values, &sum.weights}) {
      const auto bytes = part->bytes();
      mine.insert(mine.end(), bytes.begin(), bytes.end());
    }
  const std::uint64_t counts[] = {evaluation.queries, evaluation.empty};
  const auto count_bytes = std::as_bytes(std::span(counts));
  mine.insert(mine.end(), count_bytes.begin(), count_bytes.end());

  const auto all = comm.all_gather(mine);
  sums.assign(sums.size(), {});
  evaluation.queries = evaluation.empty = 0;
  for (const std::vector<std::byte>& part : all) {
    if (part.size() != mine.size())
      throw Error(ErrorCode::usage, "ranks evaluate different measures");
    std::span<const std::byte> rest = part;
    for (WeightedSum& sum : sums)
      for (ExactSum* to : {&sum.values, &sum.weights}) {
        *to += ExactSum::from_bytes(rest.first(ExactSum::byte_count()));
        rest = rest.subspan(ExactSum::byte_count());
      }
    std::uint64_t theirs[2];
    std::memcpy(theirs, rest.data(), sizeof(theirs));
    evaluation.queries += theirs[0];
    evaluation.empty += theirs[1];
  }
}

}  // namespace

QueryValues::QueryValues(const Evaluator& evaluator, std::size_t queries)
    : evaluator_(evaluator),
      values_(evaluator.measures().size(), std::vector<double>(queries)),
      is_empty_(queries) {}

void QueryValues::measure(const QueryLists& lists, std::size_t begin, std::size_t end,
                          std::size_t at, StopCheck stop) {
  const Convention& convention = evaluator_.convention();
  const double undefined = value_of_undefined(convention.empty);
  QueryRanker ranker(lists, convention.ties, evaluator_.limits());
  for (std::size_t q = begin; q < end; ++q, ++at) {
    TieGroups ties = ranker.rank(q);
    ties.stop = stop;
    const bool tied = !ties.ends.empty() && ties.ends.size() < ties.ranking.by_rank.size();
    is_empty_[at] = count_relevant(ties.ranking.ideal, convention.relevant_from) == 0;
    for (std::size_t m = 0; m < values_.size(); ++m) {
      const Measure& measure = *evaluator_.measures()[m];
      values_[m][at] =
          (tied ? measure.tied(ties) : measure.value(ties.ranking)).value_or(undefined);
    }
  }
}

Evaluation QueryValues::aggregate(std::span<const float> query_weights, Communicator& comm) && {
  const std::vector<MeasurePtr>& measures = evaluator_.measures();
  Evaluation evaluation;
  evaluation.queries = is_empty_.size();
  evaluation.empty =
      static_cast<std::size_t>(std::count(is_empty_.begin(), is_empty_.end(), char{1}));
  evaluation.per_query = std::move(values_);
  std::vector<WeightedSum> sums;
  for (std::size_t m = 0; m < measures.size(); ++m)
    sums.push_back(sum_queries(evaluation.per_query[m], query_weights, measures[m]->aggregation()));
  add_over_ranks(sums, evaluation, comm);
  for (std::size_t m = 0; m < measures.size(); ++m) {
    evaluation.values.push_back(sums[m].aggregate(measures[m]->aggregation()));
    evaluation.measures.push_back(measure_label(*measures[m], evaluator_.convention()));
  }
  return evaluation;
}

}  // namespace podium
