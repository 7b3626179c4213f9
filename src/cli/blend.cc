// podium blend: one model of several, with weights that maximise a measure on data.
#include "podium/blend.h"

#include <cmath>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/data_options.h"
#include "cli/model_file.h"
#include "core/counted.h"
#include "models/model_kinds.h"
#include "podium/data_io.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

struct BlendArguments {
  std::vector<std::string> members;
  std::string data, measure = "nDCG@10", convention = "podium";
  std::int64_t folds = 5;
  bool negative = false;
  ModelFile model;
  DataOptions reading;
};

std::string value_or_dash(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6f}", value);
}

// How the weights came about.
std::string shrinkage_text(const BlendArguments& arguments, const BlendWeights& fit) {
  if (arguments.members.size() == 1) return "one model: there are no weights to find";
  if (std::isnan(fit.held_out))
    return "equal weights: too few queries for folds that choose others";
  return fmt::format("shrunk towards equal weights by {}, held-out folds {:.6f}", fit.shrinkage,
                     fit.held_out);
}

void report_blend(const BlendArguments& arguments, const BlendedModels& blended, Frame& frame) {
  const auto members = members_of(blended.model.model);
  const std::string& measure = blended.model.measure;
  const BlendWeights& fit = blended.fit;
  if (frame.json()) {
    Json list = Json::array();
    for (std::size_t m = 0; m < members.size(); ++m)
      list.push_back({{"learner", members[m].saved.learner},
                      {"weight", members[m].weight},
                      {"scale", members[m].scale}});
    Json values = Json::array();
    for (std::size_t m = 0; m < arguments.members.size(); ++m)
      values.push_back(
          {{"file", arguments.members[m]}, {"value", number_or_null(blended.values[m])}});
    return print_json({{"model", arguments.model.path},
                       {"measure", measure},
                       {"members", list},
                       {"files", values},
                       {"shrinkage", fit.shrinkage},
                       {"value", number_or_null(fit.value)},
                       {"equal_weights", number_or_null(fit.equal_value)},
                       {"held_out", number_or_null(fit.held_out)}});
  }
  for (std::size_t m = 0; m < arguments.members.size(); ++m)
    print(fmt::format("{}\t{}\t{}\n", measure, arguments.members[m],
                      value_or_dash(blended.values[m])));
  print(fmt::format("{}\tequal weights\t{}\n", measure, value_or_dash(fit.equal_value)));
  print(fmt::format("{}\tblend\t{}\n", measure, value_or_dash(fit.value)));
  for (const BlendMember& member : members)
    print(fmt::format("weight\t{}\t{:.6f}\n", member.saved.learner, member.weight));
  print("# " + shrinkage_text(arguments, fit) + "\n");
}

void run_blend(const BlendArguments& arguments, Frame& frame) {
  if (arguments.model.path.empty()) throw Error(ErrorCode::usage, "--model is missing");
  arguments.model.require_replaceable();
  frame.stop_on_signal();
  Context& context = frame.context();
  BlendOptions options;
  options.convention = find_convention(arguments.convention);
  options.measure = parse_measures(arguments.measure, options.convention).front();
  if (arguments.negative) options.signs = BlendOptions::Signs::any;
  options.folds = static_cast<std::size_t>(arguments.folds);
  std::vector<SavedModel> models;
  for (const std::string& path : arguments.members) models.push_back(load_model(path));
  const Dataset data = arguments.reading.read_for(models, arguments.data, context);
  context.observer.phase("blending " + counted(models.size(), "model"));
  const BlendedModels blended = blend_models(std::move(models), data, options, context);
  save_model(blended.model, arguments.model.path);
  report_blend(arguments, blended, frame);
}

}  // namespace

std::function<void()> declare_blend(CLI::App& command, Frame& frame) {
  auto arguments = std::make_shared<BlendArguments>();
  command
      .add_option("--models", arguments->members,
                  "models to blend; those of other tools become Podium models by `podium import`")
      ->required()
      ->expected(1, 1000)
      ->type_name("FILE…");
  command
      .add_option("--data", arguments->data,
                  "data to find the weights on: validation data, which trained no member")
      ->required()
      ->type_name("FILE");
  arguments->model.add(command, "file to save the blend in");
  command.add_option("--measure", arguments->measure, "measure to maximise (default nDCG@10)");
  command.add_option("--convention", arguments->convention,
                     "convention for computing measures (default podium)");
  command
      .add_option("--folds", arguments->folds,
                  "folds over queries that choose how far weights are shrunk towards equal ones "
                  "(default 5)")
      ->check(CLI::Range(2, 1000));
  command.add_flag("--negative", arguments->negative, "allow negative weights");
  arguments->reading.add(command);
  frame.add_device_option(command);
  return [arguments, &frame] { run_blend(*arguments, frame); };
}

}  // namespace podium::cli
