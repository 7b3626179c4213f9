// What users say about columns: which are categories, numbers, or ignored.
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

// Of the options and the schema file, where each column is named once: options go before the file,
// and what a model expects comes last. Usage error where options contradict each other.
std::vector<WantedType> wanted_types(const ReadOptions& options);

// {"features": {"brand": "category", "url": "ignored", "price": "number"}}
std::vector<WantedType> types_from_json(std::string_view json, const std::string& file);

}  // namespace podium
