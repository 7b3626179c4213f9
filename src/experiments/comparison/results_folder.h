// The folder of a comparison on disk (docs/formats/results.md). Every file is written under a
// temporary name and renamed; a lock keeps a second process out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "experiments/comparison/comparison_plan.h"

namespace podium {

class ResultsFolder {
 public:
  // Creates it if it does not exist, locks it, and removes incomplete files of a killed run. Throws
  // a file Error if another process uses it, and a data Error if it has other content.
  explicit ResultsFolder(std::filesystem::path path);
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // Throws a usage Error, with the reason, if the folder has another comparison.
  void require_same_comparison(const ComparisonPlan& plan) const;

  // The records of finished cells.
  void load_cells(const ComparisonPlan& plan, CellTable& cells) const;
  // "lambdamart.Fold1", "lambdamart.Fold1.seed2".
  static std::string cell_name(const ComparisonPlan& plan, std::size_t system, std::size_t fold,
                               std::size_t seed);
  std::string model_path(const std::string& cell) const;
  void save_cell(const std::string& cell, const CellRecord& record, const std::string& version);
  // One line per query and system, as written by `podium eval --per-query`.
  void write_per_query(const ComparisonPlan& plan, const CellTable& cells);
  void write_results(const nlohmann::ordered_json& results);
  void write_resources(const std::string& text);
  // "" if there is none.
  std::string resources() const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace podium
