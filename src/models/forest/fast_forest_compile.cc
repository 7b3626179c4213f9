#include "models/forest/fast_forest_compile.h"

#include <algorithm>

#include "models/forest/forest.h"
#include "models/forest/test_table.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

// With more tests than this, walking the tree is faster (measured with 16 lanes).
constexpr std::size_t kMaxTests = 640;

// The leaves below a node's left child, as positions from left to right: begin … end − 1.
struct LeftLeaves {
  std::size_t begin = 0, end = 0;
};

std::vector<LeftLeaves> left_leaves(const Tree& tree) {
  std::vector<std::size_t> leaves(tree.nodes.size());  // below each node; children come later
  const auto below = [&](std::int32_t child) {
    return child < 0 ? 1 : leaves[static_cast<std::size_t>(child)];
  };
  for (std::size_t n = leaves.size(); n-- > 0;)
    leaves[n] = below(tree.nodes[n].left) + below(tree.nodes[n].right);
  std::vector<LeftLeaves> out(tree.nodes.size());
  for (std::size_t n = 0; n < out.size(); ++n) {
    const std::int32_t left = tree.nodes[n].left, right = tree.nodes[n].right;
    out[n].end = out[n].begin + below(left);
    if (left >= 0) out[static_cast<std::size_t>(left)].begin = out[n].begin;
    if (right >= 0) out[static_cast<std::size_t>(right)].begin = out[n].end;
  }
  return out;
}

std::size_t count_tests(const std::vector<LeftLeaves>& left) {
  std::size_t tests = 0;
  for (const auto [begin, end] : left) tests += (end - 1) / kWordLeaves - begin / kWordLeaves + 1;
  return tests;
}

class Compiler {
 public:
  explicit Compiler(const BlockColumns& columns) : columns_(columns) {}

  void append(const Tree& tree) {
    const std::vector<LeftLeaves> left = left_leaves(tree);
    const auto first_value = index(out_.values);
    const std::size_t tests = count_tests(left);
    list_comparisons(tree);
    if (const auto table = table_of(tree, comparisons_, tests)) {
      append_table(*table, first_value);
    } else if (tests > kMaxTests) {
      out_.trees.push_back({FastTree::Kind::nodes, index(out_.nodes), 0, first_value});
      append_nodes(tree);
      out_.values.insert(out_.values.end(), tree.values.begin(), tree.values.end());
    } else {
      append_tests(tree, left, first_value);
    }
  }

  FastTrees take() { return std::move(out_); }

 private:
  void append_tests(const Tree& tree, const std::vector<LeftLeaves>& left,
                    std::uint32_t first_value) {
    const std::size_t words = (tree.values.size() + kWordLeaves - 1) / kWordLeaves;
    out_.trees.push_back(
        {FastTree::Kind::words, index(out_.words), static_cast<std::uint32_t>(words), first_value});
    append_words(tree, left, words);
    for (const std::uint32_t leaf : leaves_in_order(tree)) out_.values.push_back(tree.values[leaf]);
  }

  template <class T>
  static std::uint32_t index(const std::vector<T>& next) {
    return static_cast<std::uint32_t>(next.size());
  }
  // What the kernels compare at the nodes of the next tree.
  void list_comparisons(const Tree& tree) {
    constexpr auto kStep = static_cast<std::uint32_t>(kBlock);
    comparisons_.clear();
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Tree::Node& node = tree.nodes[n];
      if (tree.tests_category(n))
        comparisons_.push_back(
            {(index(columns_.features) + category_splits_++) * kStep, 0.5F, node.missing});
      else
        comparisons_.push_back({columns_.of[node.feature] * kStep, node.threshold, node.missing});
    }
  }

  void append_table(const TestTable& table, std::uint32_t first_value) {
    out_.trees.push_back({FastTree::Kind::table, index(out_.words), 1, first_value});
    LeafWord word{index(out_.tests), index(out_.tests), 0};
    for (std::size_t i = 0; i < table.tests.size(); ++i) {
      const Comparison& test = table.tests[i];
      word.missing_right += test.missing == Missing::left;
      out_.tests.push_back({test.column, test.threshold, std::uint32_t{1} << i});
    }
    word.end = index(out_.tests);
    out_.words.push_back(word);
    out_.values.insert(out_.values.end(), table.values.begin(), table.values.end());
  }

  // The tests of all words, ordered by word and, within a word, by the side of missing values.
  void append_words(const Tree& tree, const std::vector<LeftLeaves>& left, std::size_t words) {
    places_.assign(2 * words + 1, 0);  // position of the next test, by word and side
    each_test(tree, left, [this](std::size_t list, const LeafTest&) { ++places_[list + 1]; });
    places_[0] = index(out_.tests);
    for (std::size_t i = 0; i < 2 * words; ++i) places_[i + 1] += places_[i];
    for (std::size_t w = 0; w < words; ++w)
      out_.words.push_back({places_[2 * w], places_[2 * w + 1], places_[2 * w + 2]});
    out_.tests.resize(places_.back());
    each_test(tree, left, [this](std::size_t list, const LeafTest& test) {
      out_.tests[places_[list]++] = test;
    });
  }

  // f(2 · word + (1 if missing values go right), test).
  template <class F>
  void each_test(const Tree& tree, const std::vector<LeftLeaves>& left, F&& f) const {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Tree::Node& node = tree.nodes[n];
      const Comparison& compared = comparisons_[n];
      for (std::size_t w = left[n].begin / kWordLeaves; w * kWordLeaves < left[n].end; ++w) {
        const std::size_t first = w * kWordLeaves;
        const std::size_t begin = std::max(left[n].begin, first);
        const std::size_t end = std::min(left[n].end, first + kWordLeaves);
        const std::uint64_t ones = (std::uint64_t{1} << (end - begin)) - 1;
        f(2 * w + (node.missing == Missing::right ? 1 : 0),
          LeafTest{compared.column, compared.threshold,
                   static_cast<std::uint32_t>(ones << (begin - first))});
      }
    }
  }

  void append_nodes(const Tree& tree) {
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Tree::Node& node = tree.nodes[n];
      out_.nodes.push_back({comparisons_[n].column,
                            comparisons_[n].threshold,
                            {node.left, node.right},
                            node.missing == Missing::right ? 1U : 0U});
    }
  }

  const BlockColumns& columns_;
  FastTrees out_;
  std::vector<std::uint32_t> places_;
  std::vector<Comparison> comparisons_;  // of the nodes of the tree that is appended
  std::uint32_t category_splits_ = 0;    // so far
};

}  // namespace

FastTrees compile(std::span<const Tree> trees, const BlockColumns& columns) {
  Compiler compiler(columns);
  for (const Tree& tree : trees) compiler.append(tree);
  return compiler.take();
}

}  // namespace podium
