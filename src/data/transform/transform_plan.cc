#include "data/transform/transform_plan.h"

#include <functional>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "data/transform/category_encoding.h"
#include "data/transform/expected_types.h"
#include "podium/error.h"

namespace podium {
namespace {

// `source`: the columns of the transform's features in the data.
void check(const Transform& transform, std::span<const std::size_t> source) {
  if (!transform.thresholds.empty() && transform.thresholds.size() != source.size())
    throw Error(ErrorCode::data,
                fmt::format("the transform has thresholds for {} features, but there are {}",
                            transform.thresholds.size(), source.size()));
  if (transform.imputation != Imputation::none && transform.fills.size() != source.size())
    throw Error(ErrorCode::data,
                fmt::format("the transform replaces missing values of {} features, but there are "
                            "{}",
                            transform.fills.size(), source.size()));
  const bool ascending =
      std::adjacent_find(source.begin(), source.end(), std::greater_equal<>()) == source.end();
  if (ascending) return;  // so there are no duplicates
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : transform.features)
    if (!seen.insert(name).second)
      throw Error(ErrorCode::data, "the transform names feature '" + name + "' twice");
}

const std::string& kept_name(const TransformPlan& plan, std::size_t k, const Dataset& data) {
  return plan.transform.features.empty() ? data.feature_names()[plan.source[k]]
                                         : plan.transform.features[k];
}

// The values that a category has in the data. A feature that no row mentions has the value 0, or is
// missing.
const Strings* values_in_data(const TransformPlan& plan, std::size_t k, const Dataset& data) {
  static const Strings zero_alone = make_strings(std::vector<std::string>{"0"});
  return plan.source[k] == kNoFeature ? &zero_alone : data.schema().values(plan.source[k]);
}

void plan_categories(TransformPlan& plan, const Dataset& data) {
  const FeatureSchema& wanted = plan.transform.schema;
  if (wanted.all_numbers()) {
    plan.schema = data.schema().selected(plan.source);
    for (const auto& category : plan.schema.categories())
      plan.categories.push_back({category.feature, {}});
    return;
  }
  plan.schema = wanted.with_ignored(data.schema().ignored());
  for (std::size_t k = 0; k < plan.source.size(); ++k) {
    const Strings* const to = wanted.values(k);
    const Strings* const from =
        to || plan.source[k] != kNoFeature ? values_in_data(plan, k, data) : nullptr;
    if (!to && !from) continue;
    if (!from)
      throw Error(ErrorCode::data,
                  fmt::format("feature '{0}' is a category, but this data has numbers for it: read "
                              "it with ‹categorical {0}›",
                              kept_name(plan, k, data)));
    if (!to) throw category_instead_of_number(kept_name(plan, k, data));
    CategoryStep step{k, {}};
    if (!same_values(*from, *to)) step.codes = code_map(*from, *to);
    plan.categories.push_back(std::move(step));
  }
}

void plan_encodings(TransformPlan& plan, const Dataset& data) {
  for (const CategoryEncoding& encoding : plan.transform.encodings) {
    const auto step = std::find_if(plan.categories.begin(), plan.categories.end(),
                                   [&](const auto& one) { return one.kept == encoding.feature; });
    if (step == plan.categories.end())
      throw Error(ErrorCode::data,
                  encoding.feature < plan.source.size()
                      ? fmt::format("the transform encodes feature '{}', which is not a category",
                                    kept_name(plan, encoding.feature, data))
                      : "the transform encodes a feature that it does not have");
    const Strings& values = *plan.schema.values(encoding.feature);
    if (encoding.kind == Encoding::target && encoding.statistics.size() != values.size())
      throw Error(ErrorCode::data,
                  fmt::format("the transform has {} statistics for the {} values of '{}'",
                              encoding.statistics.size(), values.size(),
                              kept_name(plan, encoding.feature, data)));
    step->encoding = &encoding;
    if (encoding.kind == Encoding::hash)
      for (std::size_t v = 0; v < values.size(); ++v)
        step->buckets.push_back(static_cast<std::uint32_t>(hash_bucket(values[v])));
  }
}

}  // namespace

TransformPlan plan_transform(const Transform& transform, const Dataset& data) {
  TransformPlan plan{.transform = transform,
                     .source = {},
                     .out_begin = {0},
                     .schema = {},
                     .categories = {},
                     .kept = {}};
  if (transform.features.empty()) {
    plan.source.resize(data.features());
    std::iota(plan.source.begin(), plan.source.end(), std::size_t{0});
  } else {
    plan.source = find_features(transform.features, data);
  }
  check(transform, plan.source);
  plan_categories(plan, data);
  plan_encodings(plan, data);
  for (std::size_t k = 0; k < plan.source.size(); ++k)
    plan.out_begin.push_back(plan.out_begin.back() + input_count(transform, plan.schema, k));
  if (plan.outputs() >= TransformPlan::kDropped)
    throw Error(ErrorCode::data, "too many features after binning");
  plan.absent = data.parts().absent;
  plan.absent_output = plan.imputes() ? 0 : plan.absent;
  if (data.is_dense()) return plan;
  plan.kept.assign(data.features(), TransformPlan::kDropped);
  for (std::size_t k = 0; k < plan.source.size(); ++k)
    if (plan.source[k] != kNoFeature) plan.kept[plan.source[k]] = static_cast<std::uint32_t>(k);
  return plan;
}

FeatureSchema output_schema(const TransformPlan& plan) {
  std::vector<FeatureSchema::Category> moved;
  for (const auto& category : plan.schema.categories()) {
    if (plan.transform.encoding(category.feature)) continue;
    moved.push_back(category);
    moved.back().feature = static_cast<std::uint32_t>(plan.out_begin[category.feature]);
  }
  return FeatureSchema(std::move(moved), plan.schema.ignored());
}

std::vector<std::string> output_names(const TransformPlan& plan, const Dataset& data) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < plan.source.size(); ++k)
    for (std::string& name : input_names(plan.transform, plan.schema, k, kept_name(plan, k, data)))
      names.push_back(std::move(name));
  return names;
}

}  // namespace podium
