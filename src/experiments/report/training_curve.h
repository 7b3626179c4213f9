// The course of a training run for the report, from the trainer's log: a table of at most
// `most_rows` rows, and the path along C of learners that follow one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/comparison/training_run.h"

namespace podium {

// {"columns": ["iteration", "nDCG@10 train", "nDCG@10 valid", "objective", "gap"], "rows": […]},
// with the columns that have values. For a path along C: the passes at the C that was chosen.
nlohmann::ordered_json training_curve(const TrainingRun& run, const TrainingTerms& terms,
                                      std::size_t most_rows);

// A curve with at most this many rows: the first, the last, and evenly spaced ones in between.
nlohmann::ordered_json thinned(nlohmann::ordered_json curve, std::size_t most_rows);

// One row per C, null if there is no path.
nlohmann::ordered_json path_along_c(const TrainingRun& run, const TrainingTerms& terms);

}  // namespace podium
