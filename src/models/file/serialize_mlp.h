// The perceptron's part of the model file, docs/formats/model.md.
#pragma once

#include <nlohmann/json.hpp>

#include "models/file/model_reader.h"
#include "models/mlp/mlp.h"

namespace podium {

// Throws an Error if the perceptron could not be loaded again.
nlohmann::ordered_json mlp_json(const Mlp& mlp);
// `features`: the number of inputs according to the file.
Mlp read_mlp(const ModelReader& model, std::size_t features);

}  // namespace podium
