// The JSON form of a schema, in model files and transforms:
//   {"brand":{"type":"category","values":["acme","zenith"]},"url":{"type":"ignored"}}
// Features that are not in it are numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "podium/feature_schema.h"

namespace podium {

// `features`: the names of all features.
std::string schema_to_json(const FeatureSchema& schema, const std::vector<std::string>& features);
// Throws an Error without a location if the text is not a valid schema of these features.
FeatureSchema schema_from_json(std::string_view json, const std::vector<std::string>& features);

}  // namespace podium
