// Trees as text, for people and for comparing two models line by line:
//
//   tree 0: 3 leaves, depth 2
//     bm25 <= 1.5, missing left (gain 12.5, 900 documents)
//       leaf 0: -0.25 (500 documents)
//       …
#include <algorithm>

#include <fmt/format.h>

#include "core/counted.h"
#include "models/forest/forest.h"

namespace podium {
namespace {

constexpr std::size_t kListedCategories = 20;

void dump_tree(const Tree& tree, std::span<const std::string> names, const FeatureSchema& schema,
               std::string& out) {
  struct Open {
    std::int32_t at;
    std::size_t level;
  };
  std::vector<Open> open = {{tree.nodes.empty() ? ~0 : 0, 1}};
  while (!open.empty()) {
    const auto [at, level] = open.back();
    open.pop_back();
    out.append(2 * level, ' ');
    if (at < 0) {
      const auto leaf = static_cast<std::size_t>(~at);
      out += fmt::format("leaf {}: {} ({})\n", leaf, tree.values[leaf],
                         counted(tree.leaf_documents[leaf], "document"));
      continue;
    }
    const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    out += fmt::format("{}, missing {} (gain {:.6g}, {})\n",
                       condition(tree, static_cast<std::size_t>(at), names, schema),
                       node.missing == Tree::Node::Missing::left ? "left" : "right", node.gain,
                       counted(node.documents, "document"));
    open.push_back({node.right, level + 1});
    open.push_back({node.left, level + 1});
  }
}

}  // namespace

std::string condition(const Tree& tree, std::size_t node, std::span<const std::string> names,
                      const FeatureSchema& schema) {
  const std::uint32_t feature = tree.nodes[node].feature;
  if (!tree.tests_category(node))
    return fmt::format("{} <= {}", names[feature], tree.nodes[node].threshold);
  const auto& codes = tree.categories[node];
  const Strings* const values = schema.values(feature);
  std::string list;
  for (std::size_t i = 0; i < std::min(codes.size(), kListedCategories); ++i) {
    list += i > 0 ? ", " : "";
    list += values && codes[i] < values->size() ? std::string((*values)[codes[i]])
                                                : fmt::format("#{}", codes[i]);
  }
  if (codes.size() > kListedCategories)
    list += fmt::format(", … {} more", codes.size() - kListedCategories);
  return fmt::format("{} in {{{}}}", names[feature], list);
}

std::string dump(const Forest& forest, std::span<const std::string> names,
                 const FeatureSchema& schema) {
  std::string out;
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    out += fmt::format("tree {}: {}, depth {}", t, counted(tree.values.size(), "leaf", "leaves"),
                       depth(tree));
    out += forest.base.size() > 1 ? fmt::format(", output {}\n", t % forest.base.size()) : "\n";
    dump_tree(tree, names, schema, out);
  }
  return out;
}

}  // namespace podium
