// What LightGBM, XGBoost, CatBoost and scikit-learn call options, for hints.
// python/podium/_aliases.py has the same names; there they can be used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "podium/options.h"

namespace podium::cli {

// Of "--n_estimators": --trees, --rounds and --epochs. An option whose name only has other dashes
// comes first: of "--learning_rate", --learning-rate.
std::vector<std::string> own_names(std::string_view argument);

// Usage Error for --pairs FILE, which other tools and papers call --preferences.
void refuse_file_of_pairs(const Assignments& given);

}  // namespace podium::cli
