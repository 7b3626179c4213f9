// The column types that users specify: categories, numbers, or ignored.
#pragma once

#include <string>
#include <vector>

#include "podium/data_io.h"
#include "podium/feature_schema.h"

namespace podium {

struct WantedType {
  std::string column;  // its name, or its number
  FeatureType type = FeatureType::number;
  std::string said_by;  // "--categorical", or the schema file
  enum class Absent { refused, allowed } absent = Absent::refused;
};

// From the options and the schema file, with each column once: options override the file, and both
// override what a model expects. Throws a usage Error if options contradict each other.
std::vector<WantedType> wanted_types(const ReadOptions& options);

// {"features": {"brand": "category", "url": "ignored", "price": "number"}}
std::vector<WantedType> types_from_json(std::string_view json, const std::string& file);

}  // namespace podium
