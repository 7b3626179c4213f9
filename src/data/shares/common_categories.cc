#include "data/shares/common_categories.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "distributed/gathered.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

// The categories of a rank's features, by their indices in the common width.
struct RankCategories {
  std::string file;
  std::uint64_t width = 0;  // before it was extended to the common width
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> categories;
  std::vector<std::string> ignored;

  bool operator==(const RankCategories& other) const {
    return categories == other.categories && ignored == other.ignored;
  }
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.file, self.width, self.categories, self.ignored);
  }
};

RankCategories categories_of_rank(const Dataset& data, std::size_t width, const std::string& file) {
  RankCategories out{file, width, {}, data.schema().ignored()};
  for (const auto& category : data.schema().categories()) {
    auto& [feature, values] = out.categories.emplace_back();
    feature = category.feature;
    for (std::size_t i = 0; i < category.values.size(); ++i)
      values.emplace_back(category.values[i]);
  }
  return out;
}

// The values of all ranks. A rank whose file was too narrow for the feature has zeros there.
Strings values_over_ranks(std::uint32_t feature, const std::vector<RankCategories>& all,
                          const Dataset& mine) {
  std::vector<std::string> values;
  for (const RankCategories& rank : all) {
    const auto found = std::find_if(rank.categories.begin(), rank.categories.end(),
                                    [&](const auto& one) { return one.first == feature; });
    if (found != rank.categories.end()) {
      values.insert(values.end(), found->second.begin(), found->second.end());
    } else if (feature < rank.width) {
      throw Error(ErrorCode::data,
                  fmt::format("'{}' is a number here, but a category for other ranks",
                              mine.feature_names()[feature]),
                  {rank.file});
    } else if (!std::isnan(mine.parts().absent)) {
      values.emplace_back("0");
    }
  }
  std::sort(values.begin(), values.end(), category_precedes);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return make_strings(values);
}

}  // namespace

Dataset with_common_categories(const Dataset& data, std::size_t width, const std::string& file,
                               Context& context) {
  const auto all = gathered(categories_of_rank(data, width, file), context.comm);
  if (std::all_of(all.begin(), all.end(), [&](const auto& rank) { return rank == all[0]; }))
    return data;
  std::vector<std::uint32_t> features;
  for (const RankCategories& rank : all)
    for (const auto& one : rank.categories) features.push_back(one.first);
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  std::vector<FeatureSchema::Category> merged, before;
  for (const std::uint32_t feature : features) {
    merged.push_back({feature, values_over_ranks(feature, all, data)});
    const Strings* const values = data.schema().values(feature);
    before.push_back({feature, values ? *values : make_strings(std::vector<std::string>{"0"})});
  }
  DatasetParts parts = data.parts();
  parts.schema = FeatureSchema(std::move(before), all[0].ignored);
  Transform recode;
  recode.schema = FeatureSchema(std::move(merged));
  return apply(recode, Dataset(std::move(parts)), context);
}

}  // namespace podium
