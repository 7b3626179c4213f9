// The tables of a comparison, from its results.json: systems × measures with the best and what is
// not significantly worse marked ([Chakrabarti08] Figure 9: rows are what was trained for, columns
// what was tested), and the systems against the baseline, with wins and losses in the style of
// [Yue07].
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/report/tables.h"

namespace podium {

Table measure_table(const nlohmann::ordered_json& results);
// By the first measure.
Table baseline_table(const nlohmann::ordered_json& results);

// Both side by side, a row per system: one table for programs to read, with one number per cell and
// empty cells for what is unknown. What it has from the second begins with the measure's name,
// after a column that names the baseline. One system alone has no baseline.
Table joined_table(const nlohmann::ordered_json& results);

// What results.json says without the values of each query and the log of each training run.
nlohmann::ordered_json results_summary(const nlohmann::ordered_json& results);

}  // namespace podium
