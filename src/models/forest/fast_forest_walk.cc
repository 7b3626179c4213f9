// Walks a large tree for a block of documents at once: one level for all documents that are not yet
// at a leaf, then the next. The documents' loads do not wait for each other, and documents that
// have arrived are removed from the list without a branch.
#include <numeric>

#include "models/forest/fast_forest_kernels.h"

namespace podium {

void walk_block(const WalkNode* nodes, const float* block, std::size_t documents,
                std::uint32_t* leaves) {
  std::uint32_t under_way[kBlock];
  std::int32_t at[kBlock] = {};
  std::iota(under_way, under_way + documents, 0U);
  for (std::size_t count = documents; count > 0;) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t d = under_way[i];
      const WalkNode& node = nodes[at[d]];
      const float x = block[node.column + d];
      const auto above = static_cast<std::uint32_t>(x > node.threshold);
      at[d] = node.children[above | (static_cast<std::uint32_t>(x != x) & node.missing)];
      under_way[kept] = d;
      kept += at[d] >= 0;
    }
    count = kept;
  }
  for (std::size_t d = 0; d < documents; ++d) leaves[d] = static_cast<std::uint32_t>(~at[d]);
}

}  // namespace podium
