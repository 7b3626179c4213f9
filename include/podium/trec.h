// TREC files: judgements (qrels) and runs, evaluated and printed as trec_eval does.
//
//   qrels  <topic> <iteration> <document> <grade>
//   run    <topic> Q0 <document> <rank> <score> <run id>
// Columns are separated by any blanks, further columns are ignored, lines that begin with `#` and
// empty lines are skipped, and `.gz` and `.zst` are read by the file's ending. The rank column is
// ignored: documents are ranked by score, ties by descending document id.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/evaluator.h"
#include "podium/measure.h"

namespace podium {

// The lines of a TREC file by topic: topics ascending, documents ascending within a topic.
struct TrecFile {
  struct Line {
    std::string_view document;
    double value;  // grade, or score
    std::size_t number;
  };
  struct Topic {
    std::string_view id;
    std::vector<Line> lines;
  };

  std::vector<Topic> topics;
  std::string path;
  std::string run_id;                               // runs: of the last line
  std::vector<std::shared_ptr<const void>> owners;  // of the text that the views show
};

// Error with file and line on a malformed line, and on a document named twice for a topic.
TrecFile read_qrels(const std::string& path);
TrecFile read_run(const std::string& path);

enum class Topics {
  in_both,  // that are judged and in the run: trec_eval's default
  judged,   // all that are judged; one that the run lacks counts 0: trec_eval's -c
};

// Ranks each topic's documents by the evaluator's convention; documents of the run without a
// judgement are not judged, judged ones that the run lacks are not retrieved. Ids of topics are the
// evaluation's qids.
Evaluation evaluate_run(const Evaluator& evaluator, const TrecFile& qrels, const TrecFile& run,
                        Topics topics, Context& context);

// A list, with commas, of what trec_eval's option -m asks for: "map", "P", "P.5,10", "ndcg_cut_10",
// "official", "all_trec" (those of its measures that Podium has, in its order), or of Podium's
// names.
std::vector<MeasurePtr> parse_trec_measures(std::string_view list, const Convention& convention);

enum class TrecLines { summary, topics_and_summary };

// trec_eval's output, `ndcg_cut_10           \tall\t0.4321`, for an evaluation under the trec
// convention. Measures that trec_eval does not have keep their name.
std::string format_trec(const Evaluation& evaluation, std::string_view run_id, TrecLines lines);

}  // namespace podium
