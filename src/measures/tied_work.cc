#include "measures/tied_work.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/work_text.h"
#include "measures/labels.h"
#include "measures/query_ranker.h"

namespace podium {
namespace {

constexpr double kSecondsOfStep = 3e-10;
constexpr double kLongTies = 60;  // seconds

}  // namespace

double tied_seconds(const Measure& measure, const TieGroups& ties) {
  const std::optional<TiedCost> cost = measure.tied_cost();
  if (!cost) return 0;
  const double each = cost->factor * kSecondsOfStep;
  double seconds = 0;
  for_each_group(ties, Measure::kWholeList, [&](std::size_t begin, std::size_t end) {
    const auto size = static_cast<double>(end - begin);
    const auto relevant = static_cast<double>(
        count_relevant_in(ties.ranking.by_rank.subspan(begin, end - begin), cost->relevant_from));
    const double steps = relevant * (size - relevant);
    seconds += each * steps * steps;
  });
  return seconds;
}

void note_tied_work(const Evaluator& evaluator, const Dataset& data, std::span<const double> scores,
                    Context& context) {
  if (scores.size() != data.documents()) return;
  note_tied_work(evaluator,
                 {.query_begin = data.query_begin(), .labels = data.labels(), .scores = scores},
                 context);
}

bool ties_may_take_long(const Evaluator& evaluator) {
  return evaluator.convention().ties == Ties::expected &&
         std::any_of(evaluator.measures().begin(), evaluator.measures().end(),
                     [](const MeasurePtr& measure) { return measure->tied_cost().has_value(); });
}

void note_tied_work(const Evaluator& evaluator, const QueryLists& lists, Context& context) {
  if (!ties_may_take_long(evaluator)) return;
  for (const MeasurePtr& measure : evaluator.measures()) {
    if (!measure->tied_cost()) continue;
    QueryRanker ranker(lists, Ties::expected, {.depth = evaluator.limits().depth});
    double seconds = 0, longest = 0;
    std::size_t largest = 0;  // size of a group of tied documents
    for (std::size_t q = 0; q + 1 < lists.query_begin.size(); ++q) {
      const TieGroups ties = ranker.rank(q);
      const double its = tied_seconds(*measure, ties);
      seconds += its;
      longest = std::max(longest, its);
      for (std::size_t g = 0; g < ties.ends.size(); ++g)
        largest = std::max<std::size_t>(largest, ties.ends[g] - (g ? ties.ends[g - 1] : 0));
    }
    // Lists are distributed over threads; a single list is not.
    seconds = std::max(longest, seconds / context.pool.threads());
    if (seconds < kLongTies) continue;
    context.observer.note(
        fmt::format("{} of up to {} documents with equal scores: about {}; ‹ties stable› keeps the "
                    "order of the data instead",
                    measure->name(), with_commas(largest), duration_text(seconds)));
  }
}

}  // namespace podium
