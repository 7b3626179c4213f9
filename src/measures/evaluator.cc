#include "podium/evaluator.h"

#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "measures/aggregate.h"
#include "measures/labels.h"
#include "measures/query_ranker.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesPerChunk = 64;
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

// Adds up every rank's sums and counts, on every rank.
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

void check_sizes(const QueryLists& lists) {
  if (lists.query_begin.empty()) return;
  const std::size_t documents = lists.query_begin.back();
  if (lists.scores.size() != documents || lists.labels.size() != documents)
    throw Error(ErrorCode::data, fmt::format("{} scores and {} labels for {} documents",
                                             lists.scores.size(), lists.labels.size(), documents));
}

}  // namespace

Evaluator::Evaluator(std::vector<MeasurePtr> measures, Convention convention, ListLimits limits)
    : measures_(std::move(measures)), convention_(std::move(convention)), limits_(limits) {}

Evaluation Evaluator::evaluate(const QueryLists& lists, Context& context) const {
  check_sizes(lists);
  const std::size_t queries = lists.query_begin.empty() ? 0 : lists.query_begin.size() - 1;
  const double undefined = value_of_undefined(convention_.empty);
  Evaluation evaluation;
  evaluation.queries = queries;
  evaluation.per_query.assign(measures_.size(), std::vector<double>(queries));

  evaluation.empty = parallel_reduce(
      context.pool, queries, kQueriesPerChunk, std::size_t{0},
      [&](std::size_t begin, std::size_t end) {
        QueryRanker ranker(lists, convention_.ties, limits_);
        std::size_t empty = 0;
        for (std::size_t q = begin; q < end; ++q) {
          const TieGroups ties = ranker.rank(q);
          const bool tied = !ties.ends.empty() && ties.ends.size() < ties.ranking.by_rank.size();
          empty += count_relevant(ties.ranking.ideal, convention_.relevant_from) == 0;
          for (std::size_t m = 0; m < measures_.size(); ++m)
            evaluation.per_query[m][q] =
                (tied ? measures_[m]->tied(ties) : measures_[m]->value(ties.ranking))
                    .value_or(undefined);
        }
        return empty;
      },
      [](std::size_t& total, std::size_t part) { total += part; });

  std::vector<WeightedSum> sums;
  for (std::size_t m = 0; m < measures_.size(); ++m)
    sums.push_back(
        sum_queries(evaluation.per_query[m], lists.query_weights, measures_[m]->aggregation()));
  add_over_ranks(sums, evaluation, context.comm);
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    evaluation.values.push_back(sums[m].aggregate(measures_[m]->aggregation()));
    evaluation.measures.push_back(measure_label(*measures_[m], convention_));
  }
  if (lists.qids)
    for (std::size_t q = 0; q < queries; ++q) evaluation.qids.emplace_back((*lists.qids)[q]);
  return evaluation;
}

Evaluation Evaluator::evaluate(const Dataset& data, std::span<const double> scores,
                               Context& context) const {
  const DatasetParts& parts = data.parts();
  if (scores.size() != data.documents())
    throw Error(ErrorCode::data,
                fmt::format("{} scores for {} documents: give one score a document, "
                            "in the order of the data",
                            scores.size(), data.documents()));
  if (limits_.per_host && !data.has_hosts())
    throw Error(ErrorCode::data,
                "the data name no hosts: a comment `host = X` or a column says them");
  return evaluate(QueryLists{.query_begin = data.query_begin(),
                             .labels = data.labels(),
                             .scores = scores,
                             .qids = &parts.qids,
                             .docids = &parts.docids,
                             .hosts = &parts.hosts,
                             .query_weights = parts.query_weights.view()},
                  context);
}

double evaluate(const MeasurePtr& measure, const Convention& convention, const Dataset& data,
                std::span<const double> scores, Context& context) {
  return Evaluator({measure}, convention).evaluate(data, scores, context).values.front();
}

}  // namespace podium
