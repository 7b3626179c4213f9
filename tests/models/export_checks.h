// Shared by the tests of exports.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "models/export_support.h"
#include "models/exporters/exporter.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::testing {

inline constexpr std::size_t kFeatures = 4;

// Thresholds for which rounding rules matter; counts as after training.
inline Forest plain_forest(Random& random, std::size_t trees = 12) {
  Forest forest = random_forest(trees, 20, kFeatures, {}, random);
  for (Tree& tree : forest.trees) {
    std::fill(tree.leaf_documents.begin(), tree.leaf_documents.end(), 3);
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
      Tree::Node& node = tree.nodes[n];
      const auto below = [&](std::int32_t child) {
        return child < 0 ? 3 : tree.nodes[static_cast<std::size_t>(child)].documents;
      };
      node.documents = below(node.left) + below(node.right);
      node.missing = below(node.left) >= below(node.right) ? Tree::Node::Missing::left
                                                           : Tree::Node::Missing::right;
    }
  }
  return forest;
}

// Why the format refuses the model; "" if it does not.
inline std::string refusal(const SavedModel& model, std::string_view format,
                           const ExportOptions& options = {}) {
  try {
    export_model(model, format, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

// The exported model gives the same scores as the model. For LightGBM, without values close to 0.
inline void expect_holds(SavedModel model, std::string_view format, Dataset data,
                         const ExportOptions& options = {}) {
  Bench bench;
  if (format == "lightgbm") {
    if (const auto* forest = std::get_if<Forest>(&model.model)) model.model = without_tiny(*forest);
    data = without_tiny(data);
  }
  const ExportedModel exported = export_model(model, format, options);
  const ExportCheck check = verify_export(model, exported, data, bench.context);
  EXPECT_TRUE(check.holds()) << format << ": difference " << check.largest_difference << " of "
                             << check.tolerance << ", decisions " << check.changed_decisions
                             << ", pairs " << check.changed_pairs;
  EXPECT_EQ(check.documents, data.documents());
  EXPECT_GT(check.pairs, 0U);
}

inline bool carries_missing(std::string_view format) {
  return find_exporter(format).can.missing;
}

}  // namespace podium::testing
