#include "cli/eval_clicks.h"

#include <optional>

#include <fmt/format.h>

#include "core/printable.h"
#include "podium/counterfactual.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

constexpr double kMuchUnseen = 0.1;  // share of the value at documents that were never shown

struct NamedValue {
  std::string name;
  CounterfactualValue value;
};

Json estimate_json(const NamedValue& one) {
  return {{"name", one.name},
          {"value", one.value.value},
          {"interval", {one.value.interval.low, one.value.interval.high}},
          {"effective_clicks", one.value.effective_clicks},
          {"largest_weight", one.value.largest_weight},
          {"never_shown", one.value.never_shown}};
}

}  // namespace

void EvalClicks::add(CLI::App& command) {
  clicks_.add(command, Needed::optional);
  command
      .add_option("--propensities", propensities_,
                  "with --clicks: how often each position is examined, from `podium clicks fit -o` "
                  "(default: the log's column propensity)")
      ->type_name("FILE")
      ->group("Click log");
  fields_.add(command, counterfactual_option_table().fields(), "Click log", "propensity-clip",
              "clip");
}

void EvalClicks::check() const {
  clicks_.check();
  if (given()) return;
  if (const Assignments others = fields_.given(); !others.empty())
    throw Error(ErrorCode::usage, fmt::format("--{} needs --clicks", others[0].first));
  if (!propensities_.empty()) throw Error(ErrorCode::usage, "--propensities needs --clicks");
}

void EvalClicks::run(const std::string& path, const std::vector<std::string>& model_paths,
                     const std::vector<std::string>& score_paths, const DataOptions& reading,
                     Frame& frame) const {
  const auto& table = counterfactual_option_table();
  const CounterfactualOptions options = table.read(Settings(table.fields(), fields_.given()));
  rank_weights_of(options.measure, 1);
  Context& context = frame.context();
  std::optional<Propensities> propensities;
  if (!propensities_.empty()) propensities = load_propensities(propensities_);
  std::vector<SavedModel> models;
  for (const std::string& model : model_paths) models.push_back(load_model(model));
  const Dataset data = reading.read_for(models, path, context);
  const ClickLog log = clicks_.read(&data, 0, KeptSessions::none, context);
  const Counterfactual evaluation(data, log, propensities, options, context);
  std::vector<NamedValue> results;
  for (std::size_t m = 0; m < models.size(); ++m)
    results.push_back({stem(model_paths[m]), evaluation.evaluate(score(models[m], data, context))});
  for (const std::string& file : score_paths)
    results.push_back({stem(file), evaluation.evaluate(read_scores(file, data))});
  const std::string estimator = choice_name(estimators(), options.estimator);
  for (const NamedValue& one : results)
    if (one.value.never_shown > kMuchUnseen)
      context.observer.note(
          fmt::format("{:.0f} % of the value of {} lies at documents that the log never shows: "
                      "nothing is known "
                      "about them, and they count 0",
                      100 * one.value.never_shown, one.name));
  Json list = Json::array(), comparisons = Json::array();
  std::string text;
  for (const NamedValue& one : results) {
    list.push_back(estimate_json(one));
    text += fmt::format("{}\t{}\t{:.6f}\t[{:.6f}, {:.6f}]\n", options.measure, printable(one.name),
                        one.value.value, one.value.interval.low, one.value.interval.high);
  }
  for (const NamedValue& one : results)
    text +=
        fmt::format("# {}: {:.0f} effective clicks, largest weight {:.2f}, {:.1f} % never shown\n",
                    printable(one.name), one.value.effective_clicks, one.value.largest_weight,
                    100 * one.value.never_shown);
  for (std::size_t m = 1; m < results.size(); ++m) {
    const auto test = evaluation.compare(results[m].value, results[0].value);
    comparisons.push_back({{"name", results[m].name},
                           {"baseline", results[0].name},
                           {"difference", test.difference},
                           {"interval", {test.interval.low, test.interval.high}},
                           {"p", test.p}});
    text += fmt::format("# {} against {}: {:+.6f}, 95 % [{:+.6f}, {:+.6f}], p {:.4g}\n",
                        printable(results[m].name), printable(results[0].name), test.difference,
                        test.interval.low, test.interval.high, test.p);
  }
  if (frame.json())
    return frame.print_report({{"estimator", estimator},
                               {"value", options.measure},
                               {"results", list},
                               {"comparisons", comparisons},
                               {"sessions", log.session_count},
                               {"queries", log.queries()}});
  print(text + fmt::format("# estimator {}, {} sessions of {} queries, bootstrap over queries\n",
                           estimator, log.session_count, log.queries()));
}

}  // namespace podium::cli
