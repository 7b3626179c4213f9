// The inner loops of fast_forest, in the widest vectors that the machine supports.
#pragma once

#include <cstddef>
#include <string_view>

#include "models/forest/fast_forest_layout.h"

namespace podium {

// sums[(t mod outputs) * kBlock + d] += the value of tree t for document d of the block, tree by
// tree. All kBlock documents must have values, but they may be arbitrary beyond `documents`, where
// sums may be left out.
void add_block(const FastTrees& trees, const float* block, std::size_t documents,
               std::size_t outputs, double* sums);

// The leaf of each document of the block, walking node by node; the tree must have a node.
void walk_block(const WalkNode* nodes, const float* block, std::size_t documents,
                std::uint32_t* leaves);

// The name of the instruction set in use, as Highway calls it.
std::string_view fast_forest_target();

}  // namespace podium
