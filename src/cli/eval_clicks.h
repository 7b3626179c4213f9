// `podium eval --clicks`: what models are worth, without judgements.
#pragma once

#include <string>
#include <vector>

#include "cli/click_files.h"
#include "cli/command.h"
#include "cli/data_options.h"

namespace podium::cli {

class EvalClicks {
 public:
  void add(CLI::App& command);
  bool given() const noexcept { return clicks_.given(); }
  // Usage Error for options without --clicks.
  void check() const;
  void run(const std::string& data, const std::vector<std::string>& models,
           const std::vector<std::string>& scores, const DataOptions& reading, Frame& frame) const;

 private:
  ClickFiles clicks_;
  std::string propensities_;
  FieldOptions fields_;
};

}  // namespace podium::cli
