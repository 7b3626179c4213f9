// The best ranker within a budget: learners of all families with options from their declared
// ranges, judged by cross-validation over queries, blended by weights that maximise the measure.
//
// Life of a run: folds → trials (one learner with one choice of options each; see
// experiments/automatic/search.h) → finalists and weights from out-of-fold scores → an estimate
// from folds that chose nothing of what is judged on them → finalists trained again on all data → a
// blend. Everything that was trained is kept in a folder, and an interrupted run continues there.
//
// The result depends on data, options, seed and number of trials, never on threads. With a budget
// of time, the log records how many trials there were, and replaying it gives the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"
#include "podium/options.h"

namespace podium {

struct AutoOptions {
  std::string measure = "nDCG@10";
  std::string convention = "podium";
  std::string learners;      // separated by commas; "": auto_learners()
  std::int64_t folds = 5;    // at least 3
  std::int64_t trials = 0;   // 0: as many as the seconds allow
  double seconds = 600;      // used if trials is 0
  std::int64_t members = 5;  // of the blend, at most
  bool simple = false;       // the best single learner instead of a blend
  double max_latency = 0;    // microseconds per document, measured on this machine; 0: any
};
const OptionTable<AutoOptions>& auto_option_table();

// The learners that are tried if none are named, those that are worth it most often first.
const std::vector<std::string>& auto_learners();

struct AutoRun {
  std::filesystem::path folder = {};      // "": nothing is kept
  std::string version = {};               // of Podium
  std::string replay = {};                // the log of an earlier run, "": none
  std::string data_name = {};             // for the summary
  std::vector<std::string> command = {};  // that repeats the run, for the summary
};

struct AutoResult {
  SavedModel model;
  // JSON: chosen, estimate, best_single, leaderboard, … (docs/guide/auto.md). A report shows it
  // (render_auto_report).
  std::string summary;
  bool stopped = false;  // by a request: the best so far, without an estimate
};

// `valid`: if given, candidates are judged on its queries instead of folds of the training data.
// Throws an Error for wrong options, a folder of another run, and if no learner could be trained.
AutoResult find_ranker(const AutoOptions& options, const AutoRun& run, const Dataset& train,
                       const Dataset* valid, Context& context);

}  // namespace podium
