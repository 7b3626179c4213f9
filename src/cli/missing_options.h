// The options of train and tune for columns that a learner cannot use as they are: missing values
// and categories.
#pragma once

#include <string>

#include "cli/command.h"
#include "podium/training.h"

namespace podium::cli {

struct MissingOptions {
  std::string impute, indicators, encode;

  void add(CLI::App& command);
  void set(Preparation& preparation) const;
};

}  // namespace podium::cli
