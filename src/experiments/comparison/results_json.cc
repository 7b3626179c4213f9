#include "experiments/comparison/results_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/comparison/comparison_identity.h"
#include "experiments/comparison/json_number.h"
#include "experiments/comparison/query_table.h"
#include "experiments/comparison/result_statistics.h"
#include "experiments/report/training_curve.h"
#include "measures/aggregate.h"
#include "podium/significance.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostShares = 100;
constexpr std::size_t kCurveRowsOfAll = 20000;

// [seed][fold] means of one system and measure on a part; NaN if there is no value.
std::vector<std::vector<double>> cell_means(const ComparisonPlan& plan, const CellTable& cells,
                                            std::size_t system, const std::string& measure,
                                            const char* part) {
  std::vector<std::vector<double>> means(plan.seeds(),
                                         std::vector<double>(plan.folds(), kNotMeasured));
  for (std::size_t seed = 0; seed < plan.seeds(); ++seed)
    for (std::size_t f = 0; f < plan.folds(); ++f)
      if (const auto& cell = cells.at(system, f, seed); cell && cell->done())
        means[seed][f] = number_or_nan(cell->shown.at(part).at(measure));
  return means;
}

Json variation_json(std::vector<std::vector<double>> means) {
  // Folds that lack a value for one seed are ignored in the variation.
  std::vector<std::vector<double>> whole(means.size());
  for (std::size_t f = 0; f < means[0].size(); ++f) {
    if (std::any_of(means.begin(), means.end(), [&](const auto& m) { return std::isnan(m[f]); }))
      continue;
    for (std::size_t seed = 0; seed < means.size(); ++seed) whole[seed].push_back(means[seed][f]);
  }
  Variation found;
  if (!whole[0].empty()) found = variation(whole);
  return {{"over_folds", json_number(found.over_folds)},
          {"over_seeds", json_number(found.over_seeds)}};
}

Json importance_json(const ComparisonPlan& plan, const CellTable& cells, std::size_t system) {
  std::vector<FeatureShares> all;
  for (std::size_t f = 0; f < plan.folds(); ++f)
    if (const auto& cell = cells.at(system, f, 0); cell && cell->done())
      all.push_back(cell->importance);
  Json list = Json::array();
  for (const auto& [name, share] : mean_shares(all)) {
    if (list.size() == kMostShares) break;
    list.push_back({{"feature", name}, {"share", json_number(share)}});
  }
  return list;
}

// The error, if no cell of the system succeeded and one failed.
Json failure_json(const ComparisonPlan& plan, const CellTable& cells, std::size_t system) {
  Json message = nullptr;
  for (std::size_t f = 0; f < plan.folds(); ++f) {
    const auto& cell = cells.at(system, f, 0);
    if (!cell) continue;
    if (cell->done()) return nullptr;
    if (message.is_null()) message = cell->shown.at("message");
  }
  return message;
}

// The folds on which the system failed with the first seed.
std::vector<std::string> failed_folds(const ComparisonPlan& plan, const CellTable& cells,
                                      std::size_t system) {
  std::vector<std::string> folds;
  for (std::size_t f = 0; f < plan.folds(); ++f)
    if (const auto& cell = cells.at(system, f, 0); cell && !cell->done())
      folds.push_back(plan.design->folds()[f]);
  return folds;
}

// Failures with seeds other than the first: such cells are in no list.
Json failed_seeds(const ComparisonPlan& plan, const CellTable& cells, std::size_t system) {
  Json list = Json::array();
  for (std::size_t seed = 1; seed < plan.seeds(); ++seed)
    for (std::size_t f = 0; f < plan.folds(); ++f)
      if (const auto& cell = cells.at(system, f, seed); cell && !cell->done())
        list.push_back(
            {{"fold", cell->fold}, {"seed", cell->seed}, {"message", cell->shown.at("message")}});
  return list;
}

Json shown_cells(const ComparisonPlan& plan, const CellTable& cells, std::size_t system) {
  const std::size_t most = std::clamp<std::size_t>(kCurveRowsOfAll / plan.cells(), 20, 200);
  Json list = Json::array();
  for (std::size_t f = 0; f < plan.folds(); ++f) {
    const auto& cell = cells.at(system, f, 0);
    list.push_back(cell ? cell->shown : missing_cell(plan.design->folds()[f]));
    list.back()["curve"] = thinned(std::move(list.back()["curve"]), most);
  }
  return list;
}

Json system_json(const ComparisonPlan& plan, const CellTable& cells, const QueryTable& table,
                 std::size_t s) {
  const System& system = plan.systems[s];
  Json test = Json::object(), valid = test, train = test, per_query = test, variations = test;
  for (std::size_t m = 0; m < plan.labels.size(); ++m) {
    const std::string& label = plan.labels[m];
    test[label] = json_number(table.figure(s, m, plan.terms.measures[m]->aggregation()));
    valid[label] = json_number(mean_of(cell_means(plan, cells, s, label, "valid")[0]));
    train[label] = json_number(mean_of(cell_means(plan, cells, s, label, "train")[0]));
    Json row = Json::array();
    for (const double value : table.values(s, m)) row.push_back(json_number(value));
    per_query[label] = std::move(row);
    variations[label] = variation_json(cell_means(plan, cells, s, label, "test"));
  }
  return {{"name", system.name},
          {"learner", system.learner},
          {"given", given_options(system)},
          {"failed", failure_json(plan, cells, s)},
          {"failed_folds", failed_folds(plan, cells, s)},
          {"failed_seeds", failed_seeds(plan, cells, s)},
          {"test", test},
          {"valid", valid},
          {"train", train},
          {"per_query", per_query},
          {"variation", variations},
          {"winning_numbers", Json::object()},
          {"importance", importance_json(plan, cells, s)},
          {"cells", shown_cells(plan, cells, s)}};
}

// Systems whose models have the same direction in every fold, by name.
Json same_directions_json(const ComparisonPlan& plan, const CellTable& cells) {
  std::vector<std::vector<Direction>> directions(plan.systems.size());
  for (std::size_t s = 0; s < plan.systems.size(); ++s)
    for (std::size_t f = 0; f < plan.folds(); ++f) {
      const auto& cell = cells.at(s, f, 0);
      directions[s].push_back(cell ? cell->direction : Direction{});
    }
  Json groups = Json::array();
  for (const auto& members : same_directions(directions)) {
    Json names = Json::array();
    for (const std::size_t s : members) names.push_back(plan.systems[s].name);
    groups.push_back(std::move(names));
  }
  return groups;
}

void add_winning_numbers(const ComparisonPlan& plan, const CellTable& cells, Json& systems) {
  for (const std::string& label : plan.labels) {
    std::vector<std::vector<double>> by_fold;
    for (std::size_t s = 0; s < plan.systems.size(); ++s)
      by_fold.push_back(cell_means(plan, cells, s, label, "test")[0]);
    const auto wins = winning_numbers(by_fold);
    for (std::size_t s = 0; s < wins.size(); ++s) systems[s]["winning_numbers"][label] = wins[s];
  }
}

std::vector<SystemResult> system_results(const ComparisonPlan& plan, const CellTable& cells,
                                         const QueryTable& table, std::size_t measure) {
  const Aggregation how = plan.terms.measures[measure]->aggregation();
  std::vector<SystemResult> results;
  for (std::size_t s = 0; s < plan.systems.size(); ++s) {
    SystemResult& result = results.emplace_back();
    result.name = plan.systems[s].name;
    result.figure = table.figure(s, measure, how);
    for (const double value : table.values(s, measure))
      result.values.push_back(averaged_value(value, how));
    if (!failed_folds(plan, cells, s).empty()) result.run = SystemResult::Run::failed;
  }
  return results;
}

Json statistics_json(const ComparisonPlan& plan, const CellTable& cells, const QueryTable& table,
                     ResultsState state, Context& context) {
  const ComparisonOptions& options = plan.options;
  const StatisticsTerms terms{options.test, options.correction, options.alpha,
                              static_cast<std::size_t>(options.permutations)};
  Json measures = Json::object();
  for (std::size_t m = 0; m < plan.labels.size(); ++m) {
    if (state == ResultsState::running) {
      measures[plan.labels[m]] = {{"reason", "the comparison is still running"},
                                  {"pairs", Json::array()},
                                  {"standings", Json::object()}};
      continue;
    }
    measures[plan.labels[m]] =
        measure_statistics(system_results(plan, cells, table, m), terms, context);
  }
  return {{"baseline", plan.systems[plan.baseline].name},
          {"test", choice_name(paired_tests(), options.test)},
          {"permutations", options.permutations},
          {"alpha", options.alpha},
          {"correction", choice_name(corrections(), options.correction)},
          {"measures", measures}};
}

}  // namespace

Json results_json(const ComparisonPlan& plan, const CellTable& cells, ResultsState state, Json line,
                  Context& context) {
  const QueryTable table(plan, cells);
  Json systems = Json::array();
  for (std::size_t s = 0; s < plan.systems.size(); ++s)
    systems.push_back(system_json(plan, cells, table, s));
  add_winning_numbers(plan, cells, systems);
  const Json known = comparison_identity(plan);
  return {{"format", known["format"]},
          {"version", known["version"]},
          {"complete", state == ResultsState::complete},
          {"command", plan.command},
          {"podium", known["podium"]},
          {"seed", known["seed"]},
          {"data", known["data"]},
          {"convention", known["convention"]},
          {"measures", known["measures"]},
          {"design", known["design"]},
          {"queries", table.queries()},
          {"systems", std::move(systems)},
          {"statistics", statistics_json(plan, cells, table, state, context)},
          {"same_direction", same_directions_json(plan, cells)},
          {"line", std::move(line)}};
}

}  // namespace podium
