// The measure as a function of one weight of a linear model, with its jumps ([Tan13] Figure 1), for
// the report: the weight with the largest effect on the scores, of the best system with linear
// models, on the training part of the first fold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/comparison/prepared_fold.h"
#include "podium/model.h"

namespace podium {

// Whether scores are linear in each weight.
bool has_weight_line(const Model& model);

// The member "line" of results.json.
nlohmann::ordered_json weight_line(const std::string& system, const std::string& fold,
                                   const SavedModel& saved, const std::string& feature,
                                   const Dataset& train, const MeasurePtr& measure,
                                   const Convention& convention, Context& context);

}  // namespace podium
