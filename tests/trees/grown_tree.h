// Trees with the leaf of each document, for tests of the builder.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "trees/tree_builder.h"

namespace podium::testing {

struct GrownTree {
  Tree tree;
  std::vector<std::uint32_t> leaf_of;
};

class OneTreeGrower {
 public:
  OneTreeGrower(const BinnedDataset& data, TreeOptions options, Context& context)
      : builder_(data, std::move(options), context) {}

  GrownTree grow(std::span<const double> first, std::span<const double> second,
                 const DocumentSample& sample, std::uint64_t number) {
    GrownTree grown;
    grown.leaf_of.resize(first.size());
    grown.tree = builder_.build({first, second, sample, number}, grown.leaf_of);
    return grown;
  }

 private:
  TreeBuilder builder_;
};

}  // namespace podium::testing
