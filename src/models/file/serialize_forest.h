// The forest's part of the model file, docs/formats/model.md.
#pragma once

#include <nlohmann/json.hpp>

#include "models/file/model_reader.h"
#include "podium/model.h"

namespace podium {

// Throws an Error if the forest could not be loaded again.
nlohmann::ordered_json forest_json(const Forest& forest);
// `features`: the number of inputs according to the file.
Forest read_forest(const ModelReader& model, std::size_t features);

}  // namespace podium
