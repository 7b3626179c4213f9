#include "podium/evaluator.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "measures/query_values.h"

namespace podium {
namespace {

constexpr std::size_t kQueriesPerChunk = 32;
constexpr std::size_t kNamesPerChunk = 1024;

void check_sizes(const QueryLists& lists) {
  if (lists.query_begin.empty()) return;
  const std::size_t documents = lists.query_begin.back();
  if (lists.scores.size() != documents || lists.labels.size() != documents)
    throw Error(ErrorCode::data,
                fmt::format("{} and {} for {}", counted(lists.scores.size(), "score"),
                            counted(lists.labels.size(), "label"), counted(documents, "document")));
}

}  // namespace

Evaluator::Evaluator(std::vector<MeasurePtr> measures, Convention convention, ListLimits limits)
    : measures_(std::move(measures)), convention_(std::move(convention)), limits_(limits) {}

Evaluation Evaluator::evaluate(const QueryLists& lists, Context& context) const {
  check_sizes(lists);
  const std::size_t queries = lists.query_begin.empty() ? 0 : lists.query_begin.size() - 1;
  QueryValues values(*this, queries);
  const StopCheck stop = stop_inside(context);
  parallel_for(context.pool, queries, kQueriesPerChunk, [&](std::size_t begin, std::size_t end) {
    values.measure(lists, begin, end, begin, stop);
  });
  Evaluation evaluation = std::move(values).aggregate(lists.query_weights, context);
  if (lists.qids) {
    evaluation.qids.resize(queries);
    parallel_for(context.pool, queries, kNamesPerChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t q = begin; q < end; ++q) evaluation.qids[q] = (*lists.qids)[q];
    });
  }
  return evaluation;
}

Evaluation Evaluator::evaluate(const Dataset& data, std::span<const double> scores,
                               Context& context) const {
  const DatasetParts& parts = data.parts();
  if (scores.size() != data.documents())
    throw Error(
        ErrorCode::data,
        fmt::format("{} for {}: give one score per document, in the order of the data",
                    counted(scores.size(), "score"), counted(data.documents(), "document")));
  if (limits_.per_host && !data.has_hosts())
    throw Error(ErrorCode::data,
                "the data has no hosts: give them in a comment `host = X` or in a column");
  std::function<std::string_view(std::size_t)> docid;
  if (!parts.docids.empty()) docid = [&parts](std::size_t d) { return parts.docids[d]; };
  return evaluate(QueryLists{.query_begin = data.query_begin(),
                             .labels = data.labels(),
                             .scores = scores,
                             .qids = &parts.qids,
                             .input_rows = parts.input_rows.view(),
                             .docid = std::move(docid),
                             .hosts = &parts.hosts,
                             .query_weights = parts.query_weights.view()},
                  context);
}

double evaluate(const MeasurePtr& measure, const Convention& convention, const Dataset& data,
                std::span<const double> scores, Context& context) {
  return Evaluator({measure}, convention).evaluate(data, scores, context).values.front();
}

}  // namespace podium
