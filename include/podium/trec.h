// TREC files: judgements (qrels) and runs, evaluated and printed as trec_eval does.
//
//   qrels  <topic> <iteration> <document> <grade>
//   run    <topic> Q0 <document> <rank> <score> <run id>
// Columns are separated by any blanks, further columns are ignored, lines that begin with `#` and
// empty lines are skipped, and files ending in `.gz` and `.zst` are decompressed. The rank column
// is ignored: documents are ranked by score, ties by descending document id.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/context.h"
#include "podium/evaluator.h"
#include "podium/measure.h"

namespace podium {

struct TrecContent;

// The lines of a TREC file by topic: topics ascending, lines in the order of the file. Ids are
// views into its text, which lives as long as any copy of the TrecFile.
class TrecFile {
 public:
  struct Line {
    std::string_view document;
    double value;  // grade, or score
  };

  explicit TrecFile(std::shared_ptr<const TrecContent> content) : content_(std::move(content)) {}

  std::size_t topics() const noexcept;
  std::string_view topic(std::size_t t) const;
  std::vector<Line> lines(std::size_t t) const;
  const std::string& path() const noexcept;
  std::string_view run_id() const noexcept;  // runs: of the last line

  const TrecContent& content() const noexcept { return *content_; }

 private:
  std::shared_ptr<const TrecContent> content_;
};

// Throws an Error with file and line for a malformed line, and for a document that appears twice
// for a topic.
TrecFile read_qrels(const std::string& path, Context& context);
TrecFile read_run(const std::string& path, Context& context);

enum class Topics {
  in_both,  // topics judged and in the run: trec_eval's default
  judged,   // all judged topics; one missing from the run counts 0: trec_eval's -c
};

// Ranks each topic's documents by the evaluator's convention; documents of the run without a
// judgement are not judged, judged ones that the run lacks are not retrieved. Ids of topics are the
// evaluation's qids.
Evaluation evaluate_run(const Evaluator& evaluator, const TrecFile& qrels, const TrecFile& run,
                        Topics topics, Context& context);

// A comma-separated list of measures as for trec_eval's option -m: "map", "P", "P.5,10",
// "ndcg_cut_10", "official", "all_trec" (those of its measures that Podium has, in its order), or
// Podium's names.
std::vector<MeasurePtr> parse_trec_measures(std::string_view list, const Convention& convention);

enum class TrecLines { summary, topics_and_summary };

// trec_eval's output, `ndcg_cut_10           \tall\t0.4321`, for an evaluation by this evaluator.
// Measures that trec_eval does not have keep their name.
std::string format_trec(const Evaluator& evaluator, const Evaluation& evaluation,
                        std::string_view run_id, TrecLines lines);

}  // namespace podium
