// results.json from the records of the cells (docs/formats/results.md): a pure function of them, so
// that an interrupted and resumed comparison ends with the same bytes.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/comparison/comparison_plan.h"

namespace podium {

enum class ResultsState { running, complete };

// `line`: the measure as a function of one weight (weight_line.h), or null.
nlohmann::ordered_json results_json(const ComparisonPlan& plan, const CellTable& cells,
                                    ResultsState state, nlohmann::ordered_json line,
                                    Context& context);

}  // namespace podium
