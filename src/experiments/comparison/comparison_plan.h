// A comparison that can be run: options checked, data and folds loaded.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/comparison/cell.h"
#include "experiments/comparison/design.h"
#include "experiments/comparison/training_run.h"
#include "podium/experiment.h"

namespace podium {

struct ComparisonPlan {
  ComparisonOptions options;  // with the correction resolved
  std::vector<std::string> command;
  std::string version;
  OptionSpelling spelling = bare_option;
  std::uint64_t seed = 1;
  std::vector<System> systems;
  TrainingTerms terms;
  std::vector<std::string> labels;  // of the measures
  std::size_t baseline = 0;         // index of a system
  std::unique_ptr<Design> design;
  ReadOptions reading;
  std::filesystem::path folds_to;  // where the folds of a split are written; "": nowhere

  std::size_t folds() const { return design->folds().size(); }
  std::size_t seeds() const { return static_cast<std::size_t>(options.seeds); }
  std::size_t cells() const { return systems.size() * folds() * seeds(); }
};

// The input files of the command that reproduces a cell of this fold.
CellFiles cell_files(const ComparisonPlan& plan, std::size_t fold);

ComparisonPlan plan_comparison(const ComparisonOptions& options, const ComparisonRun& run,
                               std::size_t keep_bytes, Context& context);

// The records of a plan's cells; a cell that has not run has none.
class CellTable {
 public:
  CellTable(std::size_t systems, std::size_t folds, std::size_t seeds)
      : folds_(folds), seeds_(seeds), records_(systems * folds * seeds) {}

  std::optional<CellRecord>& at(std::size_t system, std::size_t fold, std::size_t seed) {
    return records_[(system * folds_ + fold) * seeds_ + seed];
  }
  const std::optional<CellRecord>& at(std::size_t system, std::size_t fold,
                                      std::size_t seed) const {
    return records_[(system * folds_ + fold) * seeds_ + seed];
  }

 private:
  std::size_t folds_, seeds_;
  std::vector<std::optional<CellRecord>> records_;
};

}  // namespace podium
