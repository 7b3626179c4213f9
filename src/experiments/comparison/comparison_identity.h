// What identifies a comparison: data, design, measures, convention, seed, version and systems. A
// results folder can be resumed only by the same comparison.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/comparison/comparison_plan.h"

namespace podium {

// The members of results.json that identify the comparison, except "systems".
nlohmann::ordered_json comparison_identity(const ComparisonPlan& plan);

// A system's "given": the options that the user fixed.
nlohmann::ordered_json given_options(const System& system);

// Why the results in `old` are of another comparison than `plan`; "" if they are of this one,
// possibly with fewer systems.
std::string why_another(const nlohmann::ordered_json& old, const ComparisonPlan& plan);

}  // namespace podium
