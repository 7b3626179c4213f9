// Trees of other tools' files on their way to Podium's: nodes in any order, splits by ≤ or <, and
// weights of training documents instead of counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "podium/error.h"
#include "podium/model.h"

namespace podium {

struct ImportedNode {
  std::int64_t feature = -1;  // −1: a leaf
  float threshold = 0;        // left where x ≤ threshold
  Tree::Node::Missing missing = Tree::Node::Missing::left;
  std::size_t left = 0, right = 0;
  double value = 0;  // of a leaf
  double gain = 0;
  double weight = 0;  // of the training documents below; 0 where the file does not say
  std::vector<std::uint32_t> categories =
      {};  // numbers that go left, ascending; empty: a threshold
};
using ImportedTree = std::vector<ImportedNode>;  // the root first

// A test of another tool, with the nodes to which documents go.
struct ImportedSplit {
  std::int64_t feature;
  enum class Test { at_most, below } test;  // to `yes` where x ≤ limit, where x < limit
  double limit;                             // infinite limits are fine
  std::size_t yes, no;
  enum class Missing { yes, no } missing;
};
// Every float32 takes the same branch. Error (data) if the limit is no number.
ImportedNode to_node(const ImportedSplit& split, const Place& place);
// Where a missing value goes in tools that take it as 0.
ImportedSplit::Missing side_of_zero(ImportedSplit::Test test, double limit);

// Nodes that are not reached from the root are left out; Error (data) for a node that is reached
// twice. Counts of documents are the weights where all of them are whole numbers, else the weights
// in units of 2⁻²⁰: explanations need only their ratios. `factor` multiplies the values.
Forest forest_of(std::span<const ImportedTree> trees, std::size_t features, double factor,
                 const std::string& file);

// Names for a file without them: first, first + 1, … Error (data) beyond a million.
std::vector<std::string> numbered_features(std::uint64_t count, std::int64_t first,
                                           const std::string& file);

}  // namespace podium
