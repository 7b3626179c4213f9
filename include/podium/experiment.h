// Comparisons: any learners on the same folds of the same data, tuned on the validation parts only,
// tested on the test parts, with significance. The result is a folder (docs/formats/results.md).
//
// Life of a comparison: options → the data and its folds → the folder is checked for what is
// already there → cells (one system on one fold) run in parallel, each saved when it ends →
// results.json, per-query values and resources.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/option_text.h"
#include "podium/options.h"
#include "podium/significance.h"

namespace podium {

// How tuning searches for values of a learner's options.
enum class SearchMethod { latin_hypercube, successive_halving };
const Choices<SearchMethod>& search_methods();

// Correction of p-values for the number of pairs. of_the_test: max-t for randomisation, Holm's for
// the others.
enum class Correction { of_the_test, max_t, holm, bh, none };
const Choices<Correction>& corrections();

struct ComparisonOptions {
  std::string data;      // a folder with Fold1 …, or one file
  std::string learners;  // "lambdamart,svm-map(C=10),feature#2"
  std::string measures =
      "nDCG@10,nDCG@5,nDCG@1,AP,RR,P@10,ERR@10";  // the first is used for choosing
  std::string convention = "podium";

  std::int64_t folds = 5;   // of one file
  std::int64_t trials = 0;  // above 0: repeated random splits of one file instead
  std::int64_t train_queries = 10, valid_queries = 5;  // of each trial

  std::string without;                     // features to leave out
  std::string normalize;                   // "": what each learner prescribes
  std::int64_t bins = 0;                   // 0: the same
  std::string bin_rule;                    // "": the same
  std::string impute, indicators, encode;  // "": the same

  std::int64_t tune = 0;  // tuning trials per cell; 0: use the defaults
  SearchMethod search = SearchMethod::latin_hypercube;
  std::int64_t seeds = 1;  // training runs per cell; the first one's values are shown

  std::string baseline;  // "": the feature if there is one, else the last system
  PairedTest test = PairedTest::randomisation;
  Correction correction = Correction::of_the_test;
  double alpha = 0.05;
  std::int64_t permutations = 10000;
};
const OptionTable<ComparisonOptions>& comparison_option_table();

struct ComparisonRun {
  ReadOptions reading;
  std::filesystem::path folder;           // where the results go
  std::filesystem::path folds_to;         // write the folds there, as files; "": nowhere
  std::vector<std::string> command;       // shown in results.json
  std::string version;                    // of Podium
  OptionSpelling spelling = bare_option;  // of options in the texts of results.json
  std::size_t memory_bytes = 0;  // limit for all running cells; 0: three quarters of the machine's
};

struct ComparisonOutcome {
  std::size_t cells = 0;  // of the comparison
  std::size_t found = 0;  // finished by an earlier run
  std::size_t done = 0, failed = 0;
};

// Ends early on a stop request, keeping all finished cells: then done + failed < cells. Throws an
// Error for wrong options, data that cannot be read, folds that overlap, and a folder with a
// different comparison (the message lists the differences).
ComparisonOutcome compare(const ComparisonOptions& options, const ComparisonRun& run,
                          Context& context);

}  // namespace podium
