#include "experiments/comparison/cell.h"

#include <fmt/format.h>

#include "experiments/comparison/command_words.h"
#include "experiments/comparison/json_number.h"
#include "experiments/comparison/outside_scores.h"
#include "experiments/report/training_curve.h"
#include "models/file/json_text.h"

namespace podium {
namespace {

// Increment it when the content of a cell or the meaning of an option changes.
constexpr const char* kCellFormat = "podium-cell-2";

using Json = nlohmann::ordered_json;

constexpr std::size_t kCurveRows = 200;

std::string training_command(System system, const TrainingRun& run, const TrainingTerms& terms,
                             const CellFiles& files, std::uint64_t seed) {
  if (!files.without.empty() && system.feature.empty())
    system.preparation.features = feature_list(run.saved.features);
  std::vector<std::string> words = training_words(system, run.found);
  add_option(words, "data", files.data.train);
  add_option(words, "valid", files.data.valid);
  add_option(words, "measure", measure_label(*terms.measures[0], terms.convention));
  for (const std::string& word : reading_words(files.reading)) words.push_back(word);
  if (terms.convention.name != "podium") add_option(words, "convention", terms.convention.name);
  const Preparation wanted = preparation_under(terms.preparation, system.preparation);
  if (wanted.normalize) add_option(words, "normalize", std::string(to_text(*wanted.normalize)));
  if (wanted.bins > 0) add_option(words, "bins", fmt::format("{}", wanted.bins));
  if (wanted.bin_rule) add_option(words, "bin-rule", to_text(*wanted.bin_rule));
  if (wanted.impute) add_option(words, "impute", to_text(*wanted.impute));
  if (wanted.indicators) add_option(words, "indicators", to_text(*wanted.indicators));
  if (wanted.encode) add_option(words, "encode", to_text(*wanted.encode));
  if (seed != 1) add_option(words, "seed", fmt::format("{}", seed));
  std::string command;
  for (const std::string& word : words)
    command += (command.empty() ? "" : " ") + shell_quoted(word);
  return command;
}

Evaluation evaluate_on(const Dataset& data, const TrainingRun& run, const Evaluator& evaluator,
                       Context& context) {
  return evaluator.evaluate(data, score(run.saved.model, data, context), context);
}

Json tuning_json(const System& system, const std::vector<Trial>& trials) {
  if (trials.empty()) return nullptr;
  Json list = Json::array();
  for (const Trial& trial : trials) {
    const Settings settings = settings_of(system, trial.options);
    Json options = Json::object();
    for (const auto& [name, text] : trial.options) options[name] = value_json(settings[name]);
    list.push_back(
        {{"options", options}, {"value", json_number(trial.value)}, {"stage", trial.stage}});
  }
  return list;
}

}  // namespace

Json named_values(const Evaluation& evaluation) {
  Json values = Json::object();
  for (std::size_t m = 0; m < evaluation.measures.size(); ++m)
    values[evaluation.measures[m]] = json_number(evaluation.values[m]);
  return values;
}

Json missing_cell(const std::string& fold) {
  Json cell = {{"fold", fold}, {"status", "missing"}};
  for (const char* key :
       {"message", "options", "command", "chosen", "train", "valid", "test", "iterations",
        "best_iteration", "termination", "objective", "curve", "path", "tuning"})
    cell[key] = nullptr;
  return cell;
}

CellRecord failed_cell(const System& system, const std::string& fold, std::uint64_t seed,
                       const std::string& message) {
  CellRecord cell;
  cell.system = system.name;
  cell.fold = fold;
  cell.seed = seed;
  cell.shown = missing_cell(fold);
  cell.shown["status"] = "failed";
  cell.shown["message"] = message;
  return cell;
}

CellRecord finished_cell(const System& system, const std::string& fold, const TrainingRun& run,
                         const TrainingTerms& terms, const PreparedFold::View& data,
                         const CellFiles& files, Context& context) {
  const Evaluator evaluator(terms.measures, terms.convention);
  Evaluation test = evaluate_on(data.test, run, evaluator, context);
  Json options = Json::object(), chosen = Json::object();
  for (const auto& [name, value] : run.saved.options) options[name] = value_json(value);
  for (const auto& [name, value] : run.result.chosen) chosen[name] = json_number(value);
  Json objective = nullptr;
  if (const auto& certificate = run.result.certificate)
    objective = {{"primal", json_number(certificate->primal)},
                 {"dual", json_number(certificate->dual)},
                 {"gap", json_number(certificate->gap)}};
  CellRecord cell;
  cell.system = system.name;
  cell.fold = fold;
  cell.seed = context.seed;
  cell.shown = {{"fold", fold},
                {"status", "done"},
                {"message", nullptr},
                {"options", options},
                {"command", training_command(system, run, terms, files, context.seed)},
                {"chosen", chosen},
                {"train", named_values(evaluate_on(data.train, run, evaluator, context))},
                {"valid", named_values(evaluate_on(*data.valid, run, evaluator, context))},
                {"test", named_values(test)},
                {"iterations", run.result.log.size()},
                {"best_iteration", run.result.best_iteration},
                {"termination", to_text(run.result.termination)},
                {"objective", objective},
                {"curve", training_curve(run, terms, kCurveRows)},
                {"path", path_along_c(run, terms)},
                {"tuning", tuning_json(system, run.trials)}};
  if (!run.saved.training.useless.empty()) cell.shown["useless"] = run.saved.training.useless;
  cell.queries = std::move(test.qids);
  const auto weights = data.test.parts().query_weights.view();
  cell.weights.assign(weights.begin(), weights.end());
  cell.per_query = std::move(test.per_query);
  cell.importance = importance_shares(run.saved, data.train);
  cell.direction = direction_of(run.saved, data.train);
  return cell;
}

CellRecord outside_cell(const System& system, const std::string& fold, const TrainingTerms& terms,
                        const Dataset& test, Context& context) {
  const Evaluator evaluator(terms.measures, terms.convention);
  const std::vector<double> scores = OutsideScores(system.scores).of(fold, test);
  return tested_cell(system, fold, evaluator.evaluate(test, scores, context), test, context);
}

CellRecord tested_cell(const System& system, const std::string& fold, Evaluation found,
                       const Dataset& test, const Context& context) {
  Json unknown = Json::object();
  for (const std::string& measure : found.measures) unknown[measure] = nullptr;
  CellRecord cell;
  cell.system = system.name;
  cell.fold = fold;
  cell.seed = context.seed;
  cell.shown = missing_cell(fold);
  cell.shown["status"] = "done";
  cell.shown["options"] = cell.shown["chosen"] = Json::object();
  cell.shown["train"] = cell.shown["valid"] = unknown;
  cell.shown["test"] = named_values(found);
  cell.queries = std::move(found.qids);
  const auto weights = test.parts().query_weights.view();
  cell.weights.assign(weights.begin(), weights.end());
  cell.per_query = std::move(found.per_query);
  return cell;
}

std::string to_json(const CellRecord& cell, const std::string& version) {
  Json importance = Json::array(), per_query = Json::array();
  for (const auto& [name, share] : cell.importance) importance.push_back({name, share});
  for (const auto& values : cell.per_query) {
    Json row = Json::array();
    for (const double value : values) row.push_back(json_number(value));
    per_query.push_back(std::move(row));
  }
  const Json json = {
      {"format", kCellFormat},    {"podium", version},          {"system", cell.system},
      {"fold", cell.fold},        {"seed", cell.seed},          {"shown", cell.shown},
      {"queries", cell.queries},  {"weights", cell.weights},    {"per_query", per_query},
      {"importance", importance}, {"direction", cell.direction}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<CellRecord> cell_from_json(const std::string& text, const std::string& version) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kCellFormat || json.at("podium") != version) return {};
    CellRecord cell;
    cell.system = json.at("system");
    cell.fold = json.at("fold");
    cell.seed = json.at("seed");
    cell.shown = json.at("shown");
    json.at("queries").get_to(cell.queries);
    json.at("weights").get_to(cell.weights);
    if (!cell.weights.empty() && cell.weights.size() != cell.queries.size()) return {};
    for (const Json& row : json.at("per_query")) {
      std::vector<double>& values = cell.per_query.emplace_back();
      for (const Json& value : row) values.push_back(number_or_nan(value));
      if (values.size() != cell.queries.size()) return {};
    }
    for (const Json& item : json.at("importance"))
      cell.importance.emplace_back(item.at(0), item.at(1));
    json.at("direction").get_to(cell.direction);
    const Json& status = cell.shown.at("status");
    if (status != "done" && status != "failed") return {};
    if (status == "failed" && !cell.shown.at("message").is_string()) return {};
    return cell;
  } catch (const Json::exception&) {  // not such a file: it is written again
    return {};
  }
}

}  // namespace podium
