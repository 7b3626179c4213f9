// Evaluates a run against judgements, topic by topic, and prints values in trec_eval's layout.
#include <fmt/format.h>

#include "measures/measure_list.h"
#include "measures/query_values.h"
#include "measures/tied_work.h"
#include "measures/topic_lists.h"
#include "measures/trec_content.h"
#include "measures/trec_names.h"
#include "podium/trec.h"

namespace podium {
namespace {

// A judged topic and its part of the run; null if the run lacks it.
struct Match {
  const TrecContent::Topic* judged;
  const TrecContent::Topic* retrieved;
};

std::vector<Match> match(const TrecContent& qrels, const TrecContent& run, Topics topics) {
  std::vector<Match> matches;
  auto retrieved = run.topics.begin();
  for (const TrecContent::Topic& judged : qrels.topics) {
    while (retrieved != run.topics.end() && retrieved->id < judged.id) ++retrieved;
    const bool found = retrieved != run.topics.end() && retrieved->id == judged.id;
    if (found || topics == Topics::judged)
      matches.push_back({&judged, found ? &*retrieved : nullptr});
  }
  return matches;
}

}  // namespace

Evaluation evaluate_run(const Evaluator& evaluator, const TrecFile& qrels, const TrecFile& run,
                        Topics topics, Context& context) {
  const std::vector<Match> matches = match(qrels.content(), run.content(), topics);
  if (matches.empty())
    throw Error(ErrorCode::data, fmt::format("no topic of the run is judged in {}", qrels.path()),
                {run.path(), 0});
  if (evaluator.limits().per_host)
    throw Error(ErrorCode::usage,
                "a run has no hosts: omit ‹per-host›, or evaluate data with hosts");
  if (ties_may_take_long(evaluator)) {
    TopicLists lists(qrels.content(), run.content());
    for (const Match& match : matches) lists.add(*match.judged, match.retrieved);
    note_tied_work(evaluator, lists.view(), context);
  }
  QueryValues values(evaluator, matches.size());
  parallel_for(context.pool, matches.size(), TrecContent::kTopicsPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 TopicLists lists(qrels.content(), run.content());
                 for (std::size_t m = begin; m < end; ++m)
                   lists.add(*matches[m].judged, matches[m].retrieved);
                 values.measure(lists.view(), 0, end - begin, begin, stop_inside(context));
               });
  Evaluation evaluation = std::move(values).aggregate({}, context.comm);
  for (const Match& match : matches) evaluation.qids.emplace_back(match.judged->id);
  qrels.content().refuse_changes();
  run.content().refuse_changes();
  return evaluation;
}

std::vector<MeasurePtr> parse_trec_measures(std::string_view list, const Convention& convention) {
  std::vector<MeasurePtr> parsed;
  for (const std::string_view name : split_trec_measure_list(list))
    for (const std::string& one : expand_trec_name(name)) {
      const std::string translated = from_trec_name(one);
      parsed.push_back(parse_measure(translated.empty() ? one : translated, convention));
    }
  return parsed;
}

std::string format_trec(const Evaluator& evaluator, const Evaluation& evaluation,
                        std::string_view run_id, TrecLines lines) {
  std::vector<std::string> names;
  for (const MeasurePtr& measure : evaluator.measures()) {
    std::string name = measure->trec_name(evaluator.convention());
    // In the row of multiples, 1 is written like the others.
    if (name == "Rprec" && !names.empty() && names.back().starts_with("Rprec_mult_"))
      name = "Rprec_mult_1.00";
    names.push_back(name.empty() ? evaluation.measures[names.size()] : name);
  }
  std::string text;
  const auto print = [&](const std::string& name, std::string_view topic, double value) {
    const bool count = name.starts_with("num_") || name.starts_with("Num");
    text += count ? fmt::format("{:<22}\t{}\t{:.0f}\n", name, topic, value)
                  : fmt::format("{:<22}\t{}\t{:6.4f}\n", name, topic, value);
  };
  if (lines == TrecLines::topics_and_summary)
    for (std::size_t q = 0; q < evaluation.qids.size(); ++q)
      for (std::size_t m = 0; m < names.size(); ++m)
        if (names[m] != "num_q" && !names[m].starts_with("gm_"))  // meaningless for one topic
          print(names[m], evaluation.qids[q], evaluation.per_query[m][q]);
  text += fmt::format("{:<22}\tall\t{}\n", "runid", run_id);
  for (std::size_t m = 0; m < names.size(); ++m) print(names[m], "all", evaluation.values[m]);
  return text;
}

}  // namespace podium
