// Chooses the system whose weight line (weight_line.h) a complete comparison shows.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/comparison/comparison_plan.h"
#include "experiments/comparison/results_folder.h"

namespace podium {

// Of the systems with linear models, directrank or else the one that is best on the first fold's
// validation part. Null if there is none; if it cannot be computed, the observer gets a note.
nlohmann::ordered_json chosen_weight_line(const ComparisonPlan& plan, const CellTable& cells,
                                          const ResultsFolder& folder, Context& context);

}  // namespace podium
