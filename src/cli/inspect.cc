// podium inspect FILE…: describes data files and model files.
#include "cli/inspect.h"

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::cli {
namespace {

struct InspectArguments {
  std::vector<std::string> files;
  bool trees = false;
  ImportanceArguments importance;
  DataOptions reading;
};

Inspection inspect(const std::string& path, const InspectArguments& arguments, Frame& frame) {
  if (!arguments.importance.data.empty()) {
    if (!is_model_path(path))
      throw Error(ErrorCode::usage, fmt::format("--data needs a model, and {} is not one", path));
    return inspect_importance(path, arguments.importance, arguments.reading, frame.context());
  }
  if (!arguments.trees)
    return is_model_path(path) ? inspect_model(path)
                               : inspect_data(path, arguments.reading, frame.context());
  if (!is_model_path(path))
    throw Error(
        ErrorCode::usage,
        fmt::format("--trees needs a model (.json, .json.zst, .json.gz), and {} is not one", path));
  return inspect_trees(path);
}

}  // namespace

std::function<void()> declare_inspect(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("FILE", arguments->files, "data files, or models (.json, .json.zst)")
      ->required()
      ->type_name("FILE");
  command.add_flag("--trees", arguments->trees, "print the trees of a forest, node by node");
  command
      .add_option("--data", arguments->importance.data,
                  "show how much a model loses on this data when a feature is shuffled "
                  "(permutation importance)")
      ->type_name("FILE");
  command.add_option("--measure", arguments->importance.measure,
                     "with --data: measure to show (default nDCG@10)");
  command
      .add_option("--repeats", arguments->importance.repeats,
                  "with --data: number of shuffles (default 3)")
      ->check(CLI::Range(1, 1000));
  arguments->reading.add(command);
  return [arguments, &frame] {
    Json all = Json::array();
    std::string text;
    for (const std::string& path : arguments->files) {
      Inspection one = inspect(path, *arguments, frame);
      all.push_back(std::move(one.json));
      text += (text.empty() ? "" : "\n") + one.text;
    }
    if (!frame.json())
      print(text);
    else
      print_json(all.size() == 1 ? all[0] : Json{{"files", all}});
  };
}

}  // namespace podium::cli
