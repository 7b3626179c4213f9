#include "data/without_features.h"

#include <unordered_set>

#include "podium/error.h"
#include "podium/transform.h"

namespace podium {

Dataset without_features(const Dataset& data, const std::vector<std::string>& names,
                         const std::string& file, Context& context) {
  if (names.empty()) return data;
  const std::unordered_set<std::string_view> left_out(names.begin(), names.end());
  Transform kept;
  for (const std::string& name : data.feature_names())
    if (!left_out.contains(name)) kept.features.push_back(name);
  if (kept.features.empty())
    throw Error(ErrorCode::data, "all features are ignored: none is left", {file});
  std::vector<std::string> ignored = data.schema().ignored();
  ignored.insert(ignored.end(), names.begin(), names.end());
  DatasetParts parts = apply(kept, data, context).parts();
  parts.schema = parts.schema.with_ignored(std::move(ignored));
  return Dataset(std::move(parts));
}

}  // namespace podium
