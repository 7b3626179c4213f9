#include "models/exporters/missing_sides.h"

#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/refuse_export.h"
#include "models/exporters/xgboost_nodes.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

std::uint64_t documents_below(const Tree& tree, std::int32_t child) {
  return child < 0 ? tree.leaf_documents[static_cast<std::size_t>(~child)]
                   : tree.nodes[static_cast<std::size_t>(child)].documents;
}

// Training sends missing values to the side with more documents if the training data had none: of
// the node, or of all nodes with its test in an oblivious tree.
bool follows_larger_side(const Tree& tree, const Tree::Node& node) {
  const auto larger = [](std::uint64_t left, std::uint64_t right) {
    return left >= right ? Missing::left : Missing::right;
  };
  if (node.missing == larger(documents_below(tree, node.left), documents_below(tree, node.right)))
    return true;
  std::uint64_t left = 0, right = 0;
  for (const Tree::Node& other : tree.nodes) {
    if (other.feature != node.feature || other.threshold != node.threshold) continue;
    left += documents_below(tree, other.left);
    right += documents_below(tree, other.right);
  }
  return node.missing == larger(left, right);
}

Missing side_where_zero_goes(const Tree::Node& node) {
  return node.threshold >= 0 ? Missing::left : Missing::right;
}
Missing side_where_tests_fail(const Tree::Node& node) {
  return xgboost_split(node).no == node.left ? Missing::left : Missing::right;
}

std::string consumer(const ExportedModel& exported) {
  return exported.target.empty() ? "the format" : exported.target;
}

// Every node gets the side that the reader takes. A side that was not learned may change; returns
// whether one did.
template <class Side, class Refuse>
bool move_missing(Forest& forest, const ExportOptions& options, Side&& side, Refuse&& refuse_it) {
  bool differs = false;
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      Tree::Node& node = tree.nodes[n];
      const Missing taken = side(node);
      if (node.missing == taken || tree.tests_category(n)) continue;
      if (options.missing == ExportOptions::Missing::carry && !follows_larger_side(tree, node))
        refuse_it();
      differs = true;
      node.missing = taken;
    }
  return differs;
}

void drop_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  const bool differs = move_missing(forest, options, side_where_zero_goes, [&] {
    refuse_export(
        exported.format,
        fmt::format("{} has no missing values and treats an absent feature as 0, but the model "
                    "learned to send missing values elsewhere; {} support that, or give "
                    "‹missing zero› to treat missing values as 0",
                    consumer(exported),
                    exported.target.empty() ? carriers(&Capabilities::missing) : "later versions"));
  });
  if (differs)
    exported.notes.push_back(fmt::format(
        "{} has no missing values: an absent feature counts as 0 there", consumer(exported)));
}

// Readers for which a missing value fails every test, as a value above all thresholds does.
void fail_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  constexpr std::string_view kAbsent = "an absent feature is larger than every threshold";
  if (options.missing == ExportOptions::Missing::zero)
    for (const Tree& tree : forest.trees)
      for (const Tree::Node& node : tree.nodes)
        if (side_where_tests_fail(node) != side_where_zero_goes(node))
          refuse_export(
              exported.format,
              fmt::format("for {} {}, which ‹missing zero› cannot change; OpenSearch supports "
                          "it from 3.8 on",
                          exported.target, kAbsent));
  const bool differs = move_missing(forest, options, side_where_tests_fail, [&] {
    refuse_export(exported.format,
                  fmt::format("for {} {}, but the model learned to send missing values elsewhere; "
                              "OpenSearch supports that from 3.8 on",
                              exported.target, kAbsent));
  });
  if (differs) exported.notes.push_back(fmt::format("for {} {}", exported.target, kAbsent));
}

// The sides as they are, or all as for 0.
void keep_missing(Forest& forest, const ExportOptions& options, ExportedModel& exported) {
  if (options.missing == ExportOptions::Missing::zero)
    move_missing(forest, options, side_where_zero_goes, [] {});
  if (exported.format != "elasticsearch" || !exported.target.empty()) return;
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes)
      if (node.missing != side_where_zero_goes(node)) {
        exported.notes.emplace_back(
            "the model sends missing values elsewhere than 0, which OpenSearch before 3.8 and the "
            "plugin for Elasticsearch before 9 do not follow: give ‹target› to check");
        return;
      }
}

}  // namespace

void fit_missing(Forest& forest, const Capabilities& can, const ExportOptions& options,
                 ExportedModel& exported) {
  if (!can.missing) return drop_missing(forest, options, exported);
  if (can.missing_fails) return fail_missing(forest, options, exported);
  keep_missing(forest, options, exported);
}

}  // namespace podium
