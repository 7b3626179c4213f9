#include "experiments/report/training_curve.h"

#include <algorithm>
#include <array>

#include "experiments/comparison/json_number.h"

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

// The training measure's name in the log: that of `measure`, or of the learner's objective.
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

// Of `count` indices: the first, the last, and evenly spaced ones in between, `most` in total.
std::vector<std::size_t> spaced(std::size_t count, std::size_t most) {
  const std::size_t shown = std::min(count, std::max<std::size_t>(most, 2));
  std::vector<std::size_t> places(shown);
  for (std::size_t k = 0; k < shown; ++k)
    places[k] = shown == 1 ? 0 : k * (count - 1) / (shown - 1);
  return places;
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
  for (const std::size_t k : spaced(rows.size(), most_rows)) {
    const Row& row = rows[k];
    Json line = {row.iteration};
    for (const std::size_t c : used) line.push_back(json_number(row.values[c]));
    table.push_back(std::move(line));
  }
  return {{"columns", columns}, {"rows", table}};
}

Json thinned(Json curve, std::size_t most_rows) {
  if (!curve.is_object() || curve["rows"].size() <= most_rows) return curve;
  Json rows = Json::array();
  for (const std::size_t k : spaced(curve["rows"].size(), most_rows))
    rows.push_back(std::move(curve["rows"][k]));
  curve["rows"] = std::move(rows);
  return curve;
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
