// A run against judgements, as lists for the evaluator, and figures in trec_eval's layout.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "measures/measure_list.h"
#include "measures/trec_names.h"
#include "podium/trec.h"

namespace podium {
namespace {

// Topics as the evaluator's lists, filled topic by topic.
struct TopicLists {
  std::vector<std::uint64_t> query_begin = {0}, missing_begin = {0};
  std::vector<float> labels, missing;
  std::vector<double> scores;
  std::vector<std::string> qids, docids;

  // Both sorted by document.
  void add(const TrecFile::Topic& judged, const TrecFile::Topic* retrieved) {
    auto judgement = judged.lines.begin();
    const auto skip_to = [&](std::string_view document) {
      for (; judgement != judged.lines.end() && judgement->document < document; ++judgement)
        missing.push_back(static_cast<float>(judgement->value));
    };
    if (retrieved)
      for (const TrecFile::Line& line : retrieved->lines) {
        skip_to(line.document);
        const bool known = judgement != judged.lines.end() && judgement->document == line.document;
        labels.push_back(known ? static_cast<float>((judgement++)->value)
                               : std::numeric_limits<float>::quiet_NaN());
        scores.push_back(line.value);
        docids.emplace_back(line.document);
      }
    for (; judgement != judged.lines.end(); ++judgement)
      missing.push_back(static_cast<float>(judgement->value));
    qids.emplace_back(judged.id);
    query_begin.push_back(labels.size());
    missing_begin.push_back(missing.size());
  }
};

}  // namespace

Evaluation evaluate_run(const Evaluator& evaluator, const TrecFile& qrels, const TrecFile& run,
                        Topics topics, Context& context) {
  TopicLists lists;
  auto retrieved = run.topics.begin();
  for (const TrecFile::Topic& judged : qrels.topics) {
    while (retrieved != run.topics.end() && retrieved->id < judged.id) ++retrieved;
    const bool found = retrieved != run.topics.end() && retrieved->id == judged.id;
    if (found || topics == Topics::judged) lists.add(judged, found ? &*retrieved : nullptr);
  }
  if (lists.qids.empty())
    throw Error(ErrorCode::data, fmt::format("no topic of the run is judged in {}", qrels.path),
                {run.path, 0});
  if (evaluator.limits().per_host)
    throw Error(ErrorCode::usage,
                "a run names no hosts: drop --per-host, or evaluate data with hosts");
  const Strings qids = make_strings(lists.qids), docids = make_strings(lists.docids);
  return evaluator.evaluate({.query_begin = lists.query_begin,
                             .labels = lists.labels,
                             .scores = lists.scores,
                             .qids = &qids,
                             .docids = &docids,
                             .missing_begin = lists.missing_begin,
                             .missing = lists.missing},
                            context);
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

std::string format_trec(const Evaluation& evaluation, std::string_view run_id, TrecLines lines) {
  std::vector<std::string> names;
  for (const std::string& label : evaluation.measures) {
    std::string name = to_trec_name(label);
    // In the row of multiples, the one of 1 is written like its neighbours.
    if (name == "Rprec" && !names.empty() && names.back().starts_with("Rprec_mult_"))
      name = "Rprec_mult_1.00";
    names.push_back(name.empty() ? label : name);
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
