// Data from TREC runs, for prepare: --runs, --qrels and their options.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/run_files.h"
#include "podium/run_features.h"

namespace podium::cli {

class RunSource {
 public:
  void add(CLI::App& command);
  bool given() const noexcept { return runs_.given(); }
  // Throws an Error if options are given that need --runs or --qrels.
  void check() const;
  // Notes what was left out.
  RunFeatures read(Context& context) const;

 private:
  RunFiles runs_;
  std::string qrels_;
  FieldOptions fields_;
};

// The part of prepare's JSON object about runs.
Json to_json(const RunFeatures& features);

}  // namespace podium::cli
