#include "experiments/training_curve.h"

#include <array>

#include "experiments/json_number.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> value_of(const Iteration& step, std::string_view name) {
  for (const auto& [key, value] : step.values)
    if (key == name) return value;
  return {};
}

bool along_c(const TrainingRun& run) {
  return !run.result.log.empty() && value_of(run.result.log[0], "C") &&
         value_of(run.result.log[0], "primal");
}

// The training measure's name in the log: that of `measure`, or of what the learner climbs.
std::string training_name(const std::vector<Iteration>& log) {
  for (const Iteration& step : log)
    for (const auto& [name, value] : step.values)
      if (name.starts_with("train ")) return name;
  return {};
}

struct Row {
  std::int64_t iteration;
  std::array<std::optional<double>, 4> values;  // train, valid, objective, gap
};

std::vector<Row> rows_of(const TrainingRun& run, const TrainingTerms& terms) {
  std::vector<Row> rows;
  if (along_c(run)) {
    const double chosen = run.result.chosen.empty() ? 0 : run.result.chosen[0].second;
    for (const Iteration& step : run.reports)
      if (value_of(step, "C") == chosen)
        rows.push_back(
            {step.number,
             {std::nullopt, std::nullopt, value_of(step, "primal"), value_of(step, "gap")}});
    return rows;
  }
  const std::string train = training_name(run.result.log);
  const std::string valid = "valid " + terms.measures[0]->name();
  for (const Iteration& step : run.result.log)
    rows.push_back({step.number,
                    {value_of(step, train), value_of(step, valid), value_of(step, "objective"),
                     value_of(step, "gap")}});
  return rows;
}

}  // namespace

Json training_curve(const TrainingRun& run, const TrainingTerms& terms, std::size_t most_rows) {
  const std::vector<Row> rows = rows_of(run, terms);
  const std::string label = measure_label(*terms.measures[0], terms.convention);
  std::string train = training_name(run.result.log);
  train = train.empty() || train == "train " + terms.measures[0]->name() ? label : train.substr(6);
  const std::array<std::string, 4> names = {train + " train", label + " valid", "objective", "gap"};
  Json columns = {"iteration"};
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.values[c]; })) {
      used.push_back(c);
      columns.push_back(names[c]);
    }
  Json table = Json::array();
  const std::size_t shown = std::min(rows.size(), std::max<std::size_t>(most_rows, 2));
  for (std::size_t k = 0; k < shown; ++k) {
    // The first and the last row, and evenly spaced ones between.
    const Row& row = rows[shown == 1 ? 0 : k * (rows.size() - 1) / (shown - 1)];
    Json line = {row.iteration};
    for (const std::size_t c : used) line.push_back(json_number(row.values[c]));
    table.push_back(std::move(line));
  }
  return {{"columns", columns}, {"rows", table}};
}

Json path_along_c(const TrainingRun& run, const TrainingTerms& terms) {
  if (!along_c(run)) return nullptr;
  Json path = Json::array();
  for (const Iteration& step : run.result.log)
    path.push_back({{"C", json_number(value_of(step, "C"))},
                    {"primal", json_number(value_of(step, "primal"))},
                    {"dual", json_number(value_of(step, "dual"))},
                    {"gap", json_number(value_of(step, "gap"))},
                    {"iterations", static_cast<std::int64_t>(value_of(step, "passes").value_or(0))},
                    {"slack", json_number(value_of(step, "slack"))},
                    {"norm", json_number(value_of(step, "norm"))},
                    {"relative_objective", json_number(value_of(step, "objective/objective(0)"))},
                    {"valid", json_number(value_of(step, "valid " + terms.measures[0]->name()))}});
  return path;
}

}  // namespace podium
