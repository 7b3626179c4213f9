// Data for learning from TREC runs: the documents of a topic are the union of the best documents of
// every run, and each run's score is a feature. [Yue07] section 4.1 learns to combine the
// submissions to TREC this way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"
#include "podium/trec.h"

namespace podium {

enum class MissingScores { minimum, zero, nan };
enum class UnjudgedDocuments { zero, drop };

struct RunFeatureOptions {
  std::int64_t depth = 1000;
  MissingScores missing_scores = MissingScores::minimum;
  bool indicators = false;
  UnjudgedDocuments unjudged = UnjudgedDocuments::zero;
};
const OptionTable<RunFeatureOptions>& run_feature_option_table();

struct RunFeatures {
  Dataset data;
  std::size_t unjudged_topics = 0;      // left out; also topics that lost all documents
  std::size_t judged_topics_apart = 0;  // judged, but in no run
  std::size_t unjudged_documents = 0;   // of the judged topics: label 0, or left out
};

// Topics and, within them, documents ascend by id; the ids are kept. Of each run's topic the
// `depth` best documents count, ties by descending document id. Features: one per run, the score
// (as float32), named by run_names. A document that is not among a run's best has the lowest score
// of those, or 0, or NaN; if a run lacks the topic it is 0 for both of the first two rules. With
// indicators further features `in_NAME`, one per run: 1 where the document is among its best, else
// 0.
//
// Labels are the judgements' grades. A document without one, or with a negative one ("in the pool,
// not judged"), has 0 or is left out; topics without a judgement are left out. Without judgements
// all topics are kept, and labels are 0. Throws an Error if nothing is left, and for a score that
// overflows float32.
RunFeatures run_features(std::span<const TrecFile> runs, const std::optional<TrecFile>& qrels,
                         const RunFeatureOptions& options, Context& context);

// One name per run, all different: the file name without folder and suffix; if two runs share it,
// with the suffix (TREC's submissions are called input.NAME); if they still share it, the later
// ones get #2, #3, … appended.
std::vector<std::string> run_names(std::span<const TrecFile> runs);

}  // namespace podium
