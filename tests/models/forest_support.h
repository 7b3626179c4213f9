// Random trees and data for tests: few distinct values, so that some equal thresholds, zeros of
// both signs, infinities and missing values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "podium/dataset.h"
#include "podium/model.h"
#include "support/toy_data.h"

namespace podium::testing {

inline float random_value(Random& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kOdd[] = {
      0.0F, -0.0F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), 1e-45F};
  if (random.below(4) == 0) return kOdd[random.below(std::size(kOdd))];
  return static_cast<float>(random.below(9)) / 4 - 1;
}

inline float random_threshold(Random& random) {
  const float value = random_value(random);
  return std::isfinite(value) ? value : 0.25F;
}

// The leaf that is split next determines the shape.
enum class Shape { bushy, left_chain, right_chain };

inline Tree random_tree(std::size_t leaves, std::size_t features, Shape shape, Random& random) {
  Tree tree;
  struct Place {
    std::size_t parent;
    bool is_left;
  };
  std::vector<Place> open = {{0, false}};
  const auto put = [&tree](const Place& place, std::int32_t child) {
    if (tree.nodes.empty()) return;
    Tree::Node& parent = tree.nodes[place.parent];
    (place.is_left ? parent.left : parent.right) = child;
  };
  while (open.size() < leaves) {
    const std::size_t i = shape == Shape::bushy ? random.below(open.size()) : open.size() - 1;
    const std::size_t at = tree.nodes.size();
    put(open[i], static_cast<std::int32_t>(at));
    Tree::Node node;
    node.feature = static_cast<std::uint32_t>(random.below(features));
    node.threshold = random_threshold(random);
    node.missing = random.below(2) ? Tree::Node::Missing::left : Tree::Node::Missing::right;
    node.gain = random.uniform();
    node.documents = random.below(1000);
    tree.nodes.push_back(node);
    open[i] = {at, shape == Shape::right_chain};
    open.push_back({at, shape != Shape::right_chain});
  }
  std::vector<std::uint32_t> numbers(leaves);  // leaves may be numbered in any order
  for (std::size_t i = 0; i < leaves; ++i) numbers[i] = static_cast<std::uint32_t>(i);
  random.shuffle(std::span(numbers));
  for (std::size_t i = 0; i < leaves; ++i) put(open[i], ~static_cast<std::int32_t>(numbers[i]));
  for (std::size_t i = 0; i < leaves; ++i) {
    tree.values.push_back(random.uniform() - 0.5);
    tree.leaf_documents.push_back(random.below(100));
  }
  return tree;
}

// One test per level; a part of the inner nodes is missing: their branches end there, or go on with
// the next level.
inline Tree level_tree(std::size_t levels, double missing, std::size_t features, Random& random) {
  std::vector<Tree::Node> tests(levels);
  for (Tree::Node& test : tests) {
    test.feature = static_cast<std::uint32_t>(random.below(features));
    test.threshold = random_threshold(random);
    test.missing = random.below(2) ? Tree::Node::Missing::left : Tree::Node::Missing::right;
  }
  Tree tree;
  struct Place {
    std::size_t parent;
    bool is_left;
  };
  std::vector<Place> open = {{0, false}};
  const auto put = [&tree](const Place& place, std::int32_t child) {
    if (tree.nodes.empty()) return;
    Tree::Node& parent = tree.nodes[place.parent];
    (place.is_left ? parent.left : parent.right) = child;
  };
  for (const Tree::Node& test : tests) {
    std::vector<Place> next;
    for (const Place& place : open) {
      if (!tree.nodes.empty() && random.uniform() < missing) {
        next.push_back(place);
        continue;
      }
      const std::size_t at = tree.nodes.size();
      put(place, static_cast<std::int32_t>(at));
      tree.nodes.push_back(test);
      next.push_back({at, true});
      next.push_back({at, false});
    }
    open = std::move(next);
  }
  for (std::size_t leaf = 0; leaf < open.size(); ++leaf) {
    put(open[leaf], ~static_cast<std::int32_t>(leaf));
    tree.values.push_back(random.uniform() - 0.5);
    tree.leaf_documents.push_back(random.below(100));
  }
  return tree;
}

inline Dataset random_data(std::size_t documents, std::size_t features, Random& random) {
  std::vector<float> values(documents * features);
  std::generate(values.begin(), values.end(), [&] { return random_value(random); });
  return make_dataset({documents}, features, std::move(values), std::vector<float>(documents));
}

// The same values in sparse rows that omit those equal to `absent`.
inline Dataset to_sparse_rows(const Dataset& dense, float absent) {
  DatasetParts parts = dense.parts();
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t i = 0; i < dense.documents(); ++i) {
    const Rows row = dense.rows(i, i + 1);
    for (std::uint32_t f = 0; f < dense.features(); ++f) {
      const float x = row.dense(0)[f];
      if (std::isnan(absent) ? std::isnan(x) : x == absent) continue;
      columns.push_back(f);
      values.push_back(x);
    }
    begin.push_back(columns.size());
  }
  parts.dense = {};
  parts.row_begin = std::move(begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

// Splits by the feature become splits by sets of codes below `codes`.
inline void make_category(Forest& forest, std::uint32_t feature, std::size_t codes,
                          Random& random) {
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      if (tree.nodes[n].feature != feature) continue;
      tree.categories.resize(tree.nodes.size());
      tree.nodes[n].threshold = 0;
      auto& set = tree.categories[n];
      for (std::uint32_t code = 0; code < codes; ++code)
        if (random.below(3) == 0) set.push_back(code);
      if (set.empty()) set.push_back(static_cast<std::uint32_t>(random.below(codes)));
    }
}

// The values "v00", "v01", …
inline Strings category_values(std::size_t codes) {
  std::vector<std::string> values;
  for (std::size_t code = 0; code < codes; ++code)
    values.push_back(std::string("v") + static_cast<char>('0' + code / 10) +
                     static_cast<char>('0' + code % 10));
  return make_strings(values);
}

// The feature's values become codes, some of them unknown or missing.
inline Dataset with_codes(const Dataset& data, std::uint32_t feature, std::size_t codes,
                          Random& random) {
  DatasetParts parts = data.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  for (std::size_t i = feature; i < values.size(); i += data.features())
    values[i] = random.below(8) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                     : static_cast<float>(random.below(codes));
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

inline Forest random_forest(std::size_t trees, std::size_t largest, std::size_t features,
                            const Link& link, Random& random) {
  Forest forest;
  forest.features = features;
  forest.link = link;
  forest.base.clear();
  for (std::size_t k = 0; k < link.outputs(); ++k) forest.base.push_back(random.uniform());
  for (std::size_t t = 0; t < trees * link.outputs(); ++t) {
    const auto shape = std::array{Shape::bushy, Shape::bushy, Shape::left_chain,
                                  Shape::right_chain}[random.below(4)];
    forest.trees.push_back(random_tree(1 + random.below(largest), features, shape, random));
  }
  return forest;
}

}  // namespace podium::testing
