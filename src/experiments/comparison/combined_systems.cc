#include "experiments/comparison/combined_systems.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/comparison/json_number.h"
#include "models/model_kinds.h"
#include "podium/auto.h"
#include "podium/blend.h"
#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

struct BlendSettings {
  std::int64_t folds = 5;
  bool negative = false;
};
const OptionTable<BlendSettings>& blend_option_table() {
  static const auto table =
      OptionTable<BlendSettings>()
          .add("folds", &BlendSettings::folds,
               "folds over queries that choose how far weights are shrunk", between(2, 1000))
          .add("negative", &BlendSettings::negative, "allow negative weights");
  return table;
}

AutoOptions auto_options_of(const System& system) {
  settings_of(system);  // refuses options that a comparison does not take
  const auto& table = auto_option_table();
  return table.read(Settings(table.fields(), system.given));
}

std::optional<SavedModel> search_ranker(const System& system, const TrainingTerms& terms,
                                        const FoldData& data, Context& context) {
  AutoOptions options = auto_options_of(system);
  options.measure = terms.measures[0]->name();
  options.convention = terms.convention.name;
  AutoResult result = find_ranker(options, {}, data.train, &data.valid, context);
  if (result.stopped) return {};
  return std::move(result.model);
}

std::optional<SavedModel> blend_members(const System& system, const TrainingTerms& terms,
                                        PreparedFold& fold, Context& context) {
  std::vector<SavedModel> models;
  for (const System& member : system.members) {
    const auto view = fold.view(preparation_of(member, terms), member.feature,
                                *choose_learner(spec_of(member)).learner, terms.measures[0],
                                terms.convention, context);
    auto run = train_system(member, terms, *view, context);
    if (!run) return {};
    models.push_back(std::move(run->saved));
  }
  const BlendSettings settings = blend_option_table().read(settings_of(system));
  BlendOptions options;
  options.measure = terms.measures[0];
  options.convention = terms.convention;
  options.folds = static_cast<std::size_t>(settings.folds);
  if (settings.negative) options.signs = BlendOptions::Signs::any;
  return blend_models(std::move(models), fold.data().valid, options, context).model;
}

Json weights_json(const SavedModel& saved) {
  Json weights = Json::object();
  for (const BlendMember& member : members_of(saved.model)) {
    std::string name = member.saved.learner;
    for (int n = 2; weights.contains(name); ++n)
      name = fmt::format("{} {}", member.saved.learner, n);
    weights[name] = json_number(member.weight);
  }
  return weights;
}

}  // namespace

std::vector<Field> combination_fields(const System& system) {
  if (system.learner == "blend") return blend_option_table().fields();
  std::vector<Field> fields = auto_option_table().fields();
  std::erase_if(fields, [](const Field& field) {
    return field.name == "measure" || field.name == "convention" || field.name == "seconds" ||
           field.name == "max-latency";
  });
  return fields;
}

bool is_blend_option(std::string_view name) {
  const auto& fields = blend_option_table().fields();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

void require_combination(const System& system) {
  settings_of(system);
  if (system.learner == "blend") return;
  if (auto_options_of(system).trials == 0)
    throw Error(ErrorCode::usage,
                fmt::format("‹learners› '{}': write auto(trials=N): with a budget of time the "
                            "results would depend on the machine",
                            system.name));
}

std::optional<SavedModel> train_combined(const System& system, const TrainingTerms& terms,
                                         PreparedFold& fold, Context& context) {
  auto saved = system.learner == "auto" ? search_ranker(system, terms, fold.data(), context)
                                        : blend_members(system, terms, fold, context);
  if (context.stop.stop_requested()) return {};
  saved->training.validation.clear();
  return saved;
}

CellRecord combined_cell(const System& system, const std::string& fold, const SavedModel& saved,
                         const TrainingTerms& terms, const FoldData& data, Context& context) {
  const Evaluator evaluator(terms.measures, terms.convention);
  const auto evaluate_on = [&](const Dataset& part) {
    return evaluator.evaluate(part, score(saved, part, context), context);
  };
  CellRecord cell = tested_cell(system, fold, evaluate_on(data.test), data.test, context);
  cell.shown["chosen"] = weights_json(saved);
  cell.shown["train"] = named_values(evaluate_on(data.train));
  cell.shown["valid"] = named_values(evaluate_on(data.valid));
  cell.importance = importance_shares(saved, prepare_inputs(saved, data.train, context));
  return cell;
}

}  // namespace podium
