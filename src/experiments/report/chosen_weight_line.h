// Which system's weight line (weight_line.h) a complete comparison shows.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/comparison/comparison_plan.h"
#include "experiments/comparison/results_folder.h"

namespace podium {

// Of the systems with linear models, directrank or else the one best on the first fold's validation
// part. Null where there is none; where it cannot be computed the observer gets a note.
nlohmann::ordered_json chosen_weight_line(const ComparisonPlan& plan, const CellTable& cells,
                                          const ResultsFolder& folder, Context& context);

}  // namespace podium
