// Which run of `auto` it is: what a folder is kept by, and what a replay must agree with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "podium/auto.h"

namespace podium {

// Those of the option, or of the default list.
std::vector<std::string> wanted_learners(const std::string& list);

// Of a folder: data, measure, folds and seed; learners and budget may change.
nlohmann::ordered_json identity_of(const AutoOptions& options, const AutoRun& run,
                                   const Dataset& train, const Dataset* valid, Context& context);

// What a result depends on besides: of a replay.
nlohmann::ordered_json replay_identity(nlohmann::ordered_json run, const AutoOptions& options);

}  // namespace podium
