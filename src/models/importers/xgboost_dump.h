// XGBoost's JSON dump of trees, `dump_model(dump_format="json")`: nested nodes, with or without
// statistics, as tools and the LTR plugins of search engines read it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/importers/imported_tree.h"
#include "models/importers/json_part.h"
#include "models/search_engine.h"

namespace podium {

// Features by name, numbered from 0 on as they are met.
class FeatureNames {
 public:
  FeatureNames() = default;
  // A name twice stays one feature; import_model refuses what is then ambiguous.
  explicit FeatureNames(const std::vector<std::string>& names);
  std::int64_t number(const std::string& name);
  const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

// An array of trees. `rule`: where missing values go.
std::vector<ImportedTree> read_dump(const JsonPart& trees, MissingRule rule, FeatureNames& names);

}  // namespace podium
