// A cell of a comparison: one system, one fold, one seed. The record has everything about it that
// goes into results.json, and is a function of data, options and seed; finished cells are saved as
// files, and an interrupted comparison continues from them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiments/comparison/training_run.h"
#include "experiments/report/importance_shares.h"
#include "experiments/report/model_directions.h"

namespace podium {

struct CellRecord {
  std::string system, fold;
  std::uint64_t seed = 1;
  nlohmann::ordered_json shown;                // the cell as in results.json
  std::vector<std::string> queries;            // tested
  std::vector<float> weights;                  // one per query; empty: all 1
  std::vector<std::vector<double>> per_query;  // [measure][query]; NaN: skipped
  FeatureShares importance;
  Direction direction;  // of a linear model

  bool done() const { return shown.at("status") == "done"; }
};

// The input files of the command that reproduces a cell.
struct CellFiles {
  FoldFiles data;
  ReadOptions reading = {};
  std::string without = {};  // features that are left out; "": none
};

// The record of a trained cell.
CellRecord finished_cell(const System& system, const std::string& fold, const TrainingRun& run,
                         const TrainingTerms& terms, const PreparedFold::View& data,
                         const CellFiles& files, Context& context);
// The record of a system that was trained elsewhere: its scores on the test part, without
// information about training.
CellRecord outside_cell(const System& system, const std::string& fold, const TrainingTerms& terms,
                        const Dataset& test, Context& context);
// A cell of which only the values on the test part are known; others may be added.
CellRecord tested_cell(const System& system, const std::string& fold, Evaluation found,
                       const Dataset& test, const Context& context);
CellRecord failed_cell(const System& system, const std::string& fold, std::uint64_t seed,
                       const std::string& message);

// Values by the names of their measures.
nlohmann::ordered_json named_values(const Evaluation& evaluation);

// A cell's file, and back; nullopt if it is not one, or is damaged, or of another version.
std::string to_json(const CellRecord& cell, const std::string& version);
std::optional<CellRecord> cell_from_json(const std::string& text, const std::string& version);

// The entry in results.json of a cell that has not run.
nlohmann::ordered_json missing_cell(const std::string& fold);

}  // namespace podium
