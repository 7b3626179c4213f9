// The tables of a comparison, from its results.json: systems × measures, with marks for the best
// and for those not significantly worse ([Chakrabarti08] Figure 9: rows are training objectives,
// columns are measures), and the systems against the baseline, with wins and losses in the style of
// [Yue07].
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/report/tables.h"

namespace podium {

Table measure_table(const nlohmann::ordered_json& results);
// For the first measure.
Table baseline_table(const nlohmann::ordered_json& results);

// Both joined, one row per system: one table for programs to read, with one number per cell and
// empty cells for unknown values. The columns of the second begin with the measure's name, after a
// column with the name of the baseline. A single system has no baseline.
Table joined_table(const nlohmann::ordered_json& results);

// results.json without the values of each query and the log of each training run.
nlohmann::ordered_json results_summary(const nlohmann::ordered_json& results);

}  // namespace podium
