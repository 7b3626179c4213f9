// The inner loops of fast_forest, in the widest vectors that the machine has.
#pragma once

#include <cstddef>
#include <string_view>

#include "models/forest/fast_forest_layout.h"

namespace podium {

// sums[(t mod outputs) * kBlock + d] += the value of tree t for document d of the block, tree after
// tree. All kBlock documents have values, be it any; sums past `documents` may be left out.
void add_block(const FastTrees& trees, const float* block, std::size_t documents,
               std::size_t outputs, double* sums);

// The leaves where the documents of the block end, walking node by node; a tree with a node.
void walk_block(const WalkNode* nodes, const float* block, std::size_t documents,
                std::uint32_t* leaves);

// The instructions that are used, as Highway names them.
std::string_view fast_forest_target();

}  // namespace podium
