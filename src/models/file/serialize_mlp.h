// The perceptron's part of the model file, docs/formats/model.md.
#pragma once

#include <nlohmann/json.hpp>

#include "models/file/model_reader.h"
#include "models/mlp/mlp.h"

namespace podium {

// Error when the perceptron is one that would not load again.
nlohmann::ordered_json mlp_json(const Mlp& mlp);
// `features`: how many inputs the file gives the model.
Mlp read_mlp(const ModelReader& model, std::size_t features);

}  // namespace podium
