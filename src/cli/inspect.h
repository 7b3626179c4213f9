// The parts of `podium inspect`: a data file, or a model file. Each prints text, or returns
// JSON for the frame to print.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/data_options.h"

namespace podium::cli {

struct Inspection {
  std::string text;
  Json json;
};

Inspection inspect_data(const std::string& path, const DataOptions& reading, Context& context);
Inspection inspect_model(const std::string& path);
// The trees of a forest, node by node.
Inspection inspect_trees(const std::string& path);

}  // namespace podium::cli
