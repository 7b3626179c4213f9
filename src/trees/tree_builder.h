// Grows one regression tree on the CPU, leaf-wise: always the split with the largest gain
//
//   ½ [ G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ) ]
//
// over sums G, H of the loss's first and second derivatives. Sums over bins are integers
// (histogram.h), so the tree depends neither on the number of threads nor on how the documents are
// distributed over ranks; the leaves' values are then computed in full precision with sums that are
// reproducible in the same sense (leaf_values.h).
//
// Monotone constraints: both sides of a split on a constrained feature must keep the order, and
// the middle of their values bounds every later value on either side. So the whole tree is
// monotone in each such feature, on any input without missing values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"
#include "trees/tree_options.h"

namespace podium {

// The target of a tree: one element per document.
struct TreeTarget {
  std::span<const double> first, second;  // derivatives; second empty: 1 for each document
  // The documents to learn from, ascending (if this rank has none: an empty list); nullopt: all.
  DocumentSample sample = {};
  std::uint64_t number = 1;  // of the tree, for random choices by hash
};

class TreeBuilder {
 public:
  // Throws an Error if the options are invalid. Data and context must outlive the builder.
  TreeBuilder(const BinnedDataset& data, TreeOptions options, Context& context);
  ~TreeBuilder();

  // Collective: all ranks must call it. Writes the leaf of each document, sampled or not. Throws an
  // Error (training) if a derivative is not finite or a second one is negative.
  Tree build(const TreeTarget& target, std::span<std::uint32_t> leaf_of);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace podium
