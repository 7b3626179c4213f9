// The parts of `podium inspect`: a data file, or a model file. Each prints text, or returns JSON
// for the frame to print.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/data_options.h"
#include "podium/model.h"

namespace podium::cli {

struct Inspection {
  std::string text;
  Json json;
};

Inspection inspect_data(const std::string& path, const DataOptions& reading, Context& context);
Inspection inspect_model(const std::string& path);
struct ImportanceArguments {
  std::string data, measure = "nDCG@10";
  int repeats = 3;
};
// How much the measure decreases on data when a feature is shuffled.
Inspection inspect_importance(const std::string& path, const ImportanceArguments& arguments,
                              const DataOptions& reading, Context& context);
// The trees of a forest, node by node.
Inspection inspect_trees(const std::string& path);

}  // namespace podium::cli
