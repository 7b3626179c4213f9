#include "models/forest/test_table.h"

#include <algorithm>

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

constexpr std::size_t kMostTableTests = 10;
constexpr std::size_t kTableValuesPerLeaf = 16;  // more would crowd the cache

// The different tests; nullopt: more than `most`.
std::optional<std::vector<Comparison>> different(std::span<const Comparison> nodes,
                                                 std::size_t most) {
  std::vector<Comparison> tests;
  for (const Comparison& node : nodes) {
    if (std::find(tests.begin(), tests.end(), node) != tests.end()) continue;
    if (tests.size() == most) return {};
    tests.push_back(node);
  }
  std::stable_partition(tests.begin(), tests.end(),
                        [](const Comparison& test) { return test.missing == Missing::left; });
  return tests;
}

}  // namespace

std::optional<TestTable> table_of(const Tree& tree, std::span<const Comparison> nodes,
                                  std::size_t comparisons) {
  const auto tests = different(nodes, std::min(kMostTableTests, comparisons / 2));
  if (!tests || nodes.empty()) return {};
  const std::size_t size = std::size_t{1} << tests->size();
  if (size > kTableValuesPerLeaf * tree.values.size()) return {};
  std::vector<std::size_t> bits;  // of each node
  for (const Comparison& node : nodes)
    bits.push_back(
        static_cast<std::size_t>(std::find(tests->begin(), tests->end(), node) - tests->begin()));
  TestTable table{*tests, std::vector<double>(size)};
  for (std::size_t index = 0; index < size; ++index) {
    std::int32_t at = 0;
    while (at >= 0) {
      const auto node = static_cast<std::size_t>(at);
      at = index >> bits[node] & 1 ? tree.nodes[node].right : tree.nodes[node].left;
    }
    table.values[index] = tree.values[static_cast<std::size_t>(~at)];
  }
  return table;
}

}  // namespace podium
