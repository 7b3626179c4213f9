// Combines several runs into one, without learning. The score of a document d of a topic is a sum
// over the runs that have the topic, with lists truncated at `depth` and ranked as in trec_eval:
//   combsum   Σ s(d)               [Fox94]; s is the score, 0 if d is not in the list
//   combmnz   (number of lists with d) · Σ s(d)   [Fox94]
//   rrf       Σ 1 / (k + rank(d))  [Cormack09]; ranks count from 1; 0 if d is not in the list
//   borda     Σ points(d)          [Aslam01]: with n different documents in all lists of the topic,
//             the first of a list has n points, the second n − 1, …; those that are not in the list
//             share the remaining points equally: (n − length + 1) / 2 each
// combsum and combmnz first rescale each list to [0, 1] (normalize = minmax):
// (s − lowest) / (highest − lowest), and 1 for every document of a list whose scores are all equal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/options.h"
#include "podium/trec.h"

namespace podium {

enum class FusionMethod { combsum, combmnz, rrf, borda };
enum class ScoreScaling { minmax, none };

struct FusionOptions {
  FusionMethod method = FusionMethod::rrf;
  ScoreScaling normalize = ScoreScaling::minmax;  // of combsum and combmnz
  double k = 60;                                  // of rrf
  std::int64_t depth = 1000;
};
const OptionTable<FusionOptions>& fusion_option_table();

// The documents of a topic, best first; ties by descending id, as in trec_eval.
struct FusedTopic {
  struct Document {
    std::string id;
    double score;
  };
  std::string topic;
  std::vector<Document> documents;
};

// Topics that are in at least one run, ascending by id. Neither the order of the runs nor the
// number of threads changes a bit. Throws an Error if a sum of scores overflows.
std::vector<FusedTopic> fuse(std::span<const TrecFile> runs, const FusionOptions& options,
                             Context& context);

// A TREC run with this tag.
void write_run(std::span<const FusedTopic> topics, std::string_view tag, const std::string& path);

}  // namespace podium
