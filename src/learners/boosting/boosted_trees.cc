#include "learners/boosting/boosted_trees.h"

#include <fmt/format.h>

#include "core/spec.h"
#include "data/trained_feature.h"
#include "podium/error.h"

namespace podium {
namespace {

// "3:+1,17:-1" as one sign per feature.
std::vector<std::int8_t> parse_monotone(const std::string& text, const Dataset& data) {
  if (text.empty()) return {};
  std::vector<std::int8_t> signs(data.features(), 0);
  for (const std::string_view item : split_outside_parentheses(text, ',')) {
    const std::size_t colon = item.rfind(':');
    const std::string_view sign = colon == item.npos ? "" : trim(item.substr(colon + 1));
    if (sign != "+1" && sign != "1" && sign != "-1")
      throw Error(ErrorCode::usage,
                  fmt::format("‹monotone› '{}': write FEATURE:+1 or FEATURE:-1", item));
    const std::string name(trim(item.substr(0, colon)));
    const std::size_t feature = find_trained_feature("monotone", name, data);
    if (data.schema().values(feature))
      throw Error(ErrorCode::usage,
                  fmt::format("‹monotone›: '{}' is a category, whose values have no order", name));
    if (signs[feature] != 0)
      throw Error(ErrorCode::usage, fmt::format("‹monotone› names feature '{}' twice", name));
    signs[feature] = sign == "-1" ? -1 : 1;
  }
  return signs;
}

// "1,2,3;4,5" as groups of features.
std::vector<std::vector<std::uint32_t>> parse_interactions(const std::string& text,
                                                           const Dataset& data) {
  std::vector<std::vector<std::uint32_t>> groups;
  if (text.empty()) return groups;
  for (const std::string_view list : split_outside_parentheses(text, ';')) {
    auto& group = groups.emplace_back();
    for (const std::string_view item : split_outside_parentheses(list, ',')) {
      const std::string name(trim(item));
      if (name.empty())
        throw Error(ErrorCode::usage,
                    fmt::format("‹interactions› '{}': write groups as 1,2,3;4,5", text));
      group.push_back(static_cast<std::uint32_t>(find_trained_feature("interactions", name, data)));
    }
  }
  return groups;
}

}  // namespace

TreeOptions tree_options(const BoostingOptions& options, const Dataset& data) {
  TreeOptions tree;
  if (options.oblivious) tree.shape = TreeOptions::Shape::oblivious;
  tree.leaves = static_cast<int>(options.leaves);
  tree.max_depth = static_cast<int>(options.max_depth);
  tree.min_docs = options.min_docs;
  tree.min_curvature = options.min_curvature;
  tree.l2 = options.l2;
  tree.category_l2 = options.category_l2;
  tree.min_gain = options.min_gain;
  tree.feature_fraction = options.feature_fraction;
  tree.monotone = parse_monotone(options.monotone, data);
  tree.interactions = parse_interactions(options.interactions, data);
  tree.leaf_value = options.leaf_values == BoostingOptions::LeafValues::newton
                        ? TreeOptions::LeafValue::newton
                        : TreeOptions::LeafValue::gradient;
  return tree;
}

}  // namespace podium
