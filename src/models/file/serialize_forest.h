// The forest's part of the model file, docs/formats/model.md.
#pragma once

#include <nlohmann/json.hpp>

#include "models/file/model_reader.h"
#include "podium/model.h"

namespace podium {

// Error when the forest is one that would not load again.
nlohmann::ordered_json forest_json(const Forest& forest);
// `features`: how many inputs the file gives the model.
Forest read_forest(const ModelReader& model, std::size_t features);

}  // namespace podium
