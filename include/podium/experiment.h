// Comparisons: any learners on the same folds of the same data, tuned on the validation parts only,
// tested on the test parts, with significance. The result is a folder (docs/formats/results.md).
//
// Life of a comparison: options → the data and its folds → the folder is checked for what is
// already there → cells (one system on one fold) run side by side, each saved as it ends →
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

// Where tuning looks for a learner's options.
enum class SearchMethod { latin_hypercube, successive_halving };
const Choices<SearchMethod>& search_methods();

// Of p-values for the number of pairs. Of the test: max-t for randomisation, Holm's for the others.
enum class Correction { of_the_test, max_t, holm, bh, none };
const Choices<Correction>& corrections();

struct ComparisonOptions {
  std::string data;      // a folder with Fold1 …, or one file
  std::string learners;  // "lambdamart,svm-map(C=10),feature#2"
  std::string measures = "nDCG@10,nDCG@5,nDCG@1,AP,RR,P@10,ERR@10";  // the first one chooses
  std::string convention = "podium";

  std::int64_t folds = 5;   // of one file
  std::int64_t trials = 0;  // above 0: repeated random splits of one file instead
  std::int64_t train_queries = 10, valid_queries = 5;  // of each trial

  std::string without;    // features to leave out
  std::string normalize;  // "": as each learner has it
  std::int64_t bins = 0;  // 0: likewise
  std::string bin_rule;   // "": likewise

  std::int64_t tune = 0;  // trials of each cell's search; 0: defaults are taken
  SearchMethod search = SearchMethod::latin_hypercube;
  std::int64_t seeds = 1;  // trainings of each cell; the first one's figures are shown

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
  std::vector<std::string> command;       // that results.json shows
  std::string version;                    // of Podium
  OptionSpelling spelling = bare_option;  // of options in what results.json says
  std::size_t memory_bytes = 0;           // that cells may take together; 0: three quarters of all
};

struct ComparisonOutcome {
  std::size_t cells = 0;  // of the comparison
  std::size_t found = 0;  // that an earlier run had finished
  std::size_t done = 0, failed = 0;
};

// Ends early, with all finished cells kept, when the context's stop is asked for: then done +
// failed < cells. Errors: usage; data that cannot be read, folds that overlap; a folder that holds
// another comparison, with what differs.
ComparisonOutcome compare(const ComparisonOptions& options, const ComparisonRun& run,
                          Context& context);

}  // namespace podium
