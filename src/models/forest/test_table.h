// Trees with few different tests, such as oblivious ones (trees/oblivious.h), as a table: bit i of
// a document's index is 1 if test i sends it right, and the table has the tree's value for each
// index. So D comparisons replace those of all nodes, and no test depends on another.
//
// Whether a tree is such a tree is seen from its nodes: no file says so, and trees from other
// programs profit, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "podium/model.h"

namespace podium {

// What a node compares, as the kernels see it.
struct Comparison {
  std::uint32_t column;
  float threshold;
  Tree::Node::Missing missing;

  friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct TestTable {
  std::vector<Comparison> tests;  // of bit 0, 1, …; those with missing values to the left first
  std::vector<double> values;     // 2 ^ tests
};

// nullopt where comparing at `comparisons` nodes is as fast. `nodes`: the tests of the tree's
// nodes.
std::optional<TestTable> table_of(const Tree& tree, std::span<const Comparison> nodes,
                                  std::size_t comparisons);

}  // namespace podium
