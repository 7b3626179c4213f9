// Shared by the importers: a threshold becomes the largest float not above it, so that float32
// inputs take the same branch, and missing values go where the foreign system sends them.
#pragma once

#include <string>
#include <string_view>

#include "podium/error.h"
#include "podium/export.h"

namespace podium {

ImportedModel import_lightgbm(std::string_view content, const std::string& file,
                              const ImportOptions& options);
ImportedModel import_ranklib(std::string_view content, const std::string& file,
                             const ImportOptions& options);

// Where a missing value goes in systems that treat it as 0.
Tree::Node::Missing side_of_zero(double threshold);
// Throws an Error (data) if no float is that low.
float float_threshold(double t, const Place& place);

}  // namespace podium
