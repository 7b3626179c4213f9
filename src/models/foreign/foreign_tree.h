// Trees of nested formats, flattened in reading order. Each reader defines how a node decides.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "podium/error.h"

namespace podium {

struct ForeignNode {
  std::int64_t feature = -1;  // −1: a leaf
  double threshold = 0;
  std::size_t left = 0, right = 0;
  enum class Missing : std::uint8_t { left, right, compare } missing = Missing::compare;
  double value = 0;
};
using ForeignTree = std::vector<ForeignNode>;  // the root first

[[noreturn]] inline void fail_foreign(const std::string& what) {
  throw Error(ErrorCode::data, "the exported file cannot be read back: " + what);
}

// The index of a feature of the file among the document's features.
inline std::int64_t find_name(std::span<const std::string> features, const std::string& name) {
  for (std::size_t f = 0; f < features.size(); ++f)
    if (features[f] == name) return static_cast<std::int64_t>(f);
  fail_foreign("it names the feature '" + name + "', which the model does not have");
}

// Walks down; `goes_left(x, node)` compares.
template <class Compare>
double value_of(const ForeignTree& tree, std::span<const float> features, Compare&& goes_left) {
  std::size_t at = 0;
  while (tree[at].feature >= 0) {
    const ForeignNode& node = tree[at];
    const float x = features[static_cast<std::size_t>(node.feature)];
    const bool missing = x != x && node.missing != ForeignNode::Missing::compare;
    const bool left =
        missing ? node.missing == ForeignNode::Missing::left : goes_left(x, node.threshold);
    at = left ? node.left : node.right;
  }
  return tree[at].value;
}

inline nlohmann::json parse_foreign(std::string_view content) {
  try {
    return nlohmann::json::parse(content);
  } catch (const nlohmann::json::exception&) {
    fail_foreign("it is not JSON");
  }
}

}  // namespace podium
