// The layout of a forest for fast_forest's kernels. Documents come in blocks of kBlock, feature by
// feature: the value of document d in column c is at block[c * kBlock + d], where the columns are
// the features that the trees use.
//
// A small tree is a list of tests over words of 32 leaves, counted from left to right. A test that
// holds for a document excludes the leaves below its node's left child; the leftmost of the
// remaining leaves is the document's ([Lucchese15], but tree by tree: every document performs all
// tests of a tree, the same for all lanes of a vector, and the word stays in a register). A node
// whose left leaves are in several words has a test in each. If that would need too many tests
// (trees with hundreds of leaves, long chains), the tree is walked node by node instead, many
// documents at a time.
//
// A tree with few different tests is a table (test_table.h): its tests are those of one word, and
// `out` is the bit of the document's index that is 1 if x > threshold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace podium {

inline constexpr std::size_t kBlock = 64;       // documents
inline constexpr std::size_t kWordLeaves = 32;  // leaves of a word

struct LeafTest {
  std::uint32_t column;  // times kBlock
  float threshold;
  std::uint32_t out;  // leaves of the word that are excluded if x > threshold
};

// The tests of a word: those with missing values to the left first.
struct LeafWord {
  std::uint32_t begin, missing_right, end;
};

struct WalkNode {
  std::uint32_t column;  // times kBlock
  float threshold;
  std::int32_t children[2];  // left and right, as in Tree::Node
  std::uint32_t missing;     // the child of a missing value
};

struct FastTree {
  enum class Kind : std::uint32_t { words, table, nodes } kind;
  std::uint32_t first;  // of its words or of its nodes
  std::uint32_t count;  // of words
  std::uint32_t first_value;
};

struct FastTrees {
  std::vector<FastTree> trees;
  std::vector<LeafTest> tests;
  std::vector<LeafWord> words;
  std::vector<WalkNode> nodes;
  std::vector<double> values;  // of a tree with words from left to right, of a table by index
};

}  // namespace podium
