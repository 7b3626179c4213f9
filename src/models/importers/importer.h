// Shared by the importers: a threshold becomes the largest float not above it, so that float32
// inputs take the same branch, and missing values go where the foreign system sends them.
#pragma once

#include <string>
#include <string_view>

#include "models/search_engine.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium {

using ImportReader = ImportedModel(std::string_view content, const std::string& file,
                                   const ImportOptions& options);
ImportReader import_lightgbm;
ImportReader import_xgboost;
ImportReader import_catboost;
ImportReader import_ranklib;
ImportReader import_onnx;
ImportReader import_solr;
ImportReader import_elasticsearch;

// Where a missing value goes in systems that treat it as 0.
Tree::Node::Missing side_of_zero(double threshold);
// Throws an Error (data) if no float is that low.
float float_threshold(double t, const Place& place);

}  // namespace podium
