// Grows trees on the CPU, from derivatives in the host's memory (tree_shape.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "podium/context.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/cpu_tree_engine.h"
#include "trees/tree_options.h"
#include "trees/tree_shape.h"

namespace podium {

class TreeBuilder {
 public:
  // Throws an Error if the options are invalid. Data and context must outlive the builder.
  TreeBuilder(const BinnedDataset& data, TreeOptions options, Context& context);

  // Collective: all ranks must call it. Writes the leaf of each document, sampled or not. Throws an
  // Error (training) if a derivative is not finite or a second one is negative.
  Tree build(const TreeTarget& target, std::span<std::uint32_t> leaf_of);

 private:
  const BinnedDataset& data_;
  Context& context_;
  std::unique_ptr<TreeShape> shape_;
  CpuTreeEngine engine_;
};

}  // namespace podium
