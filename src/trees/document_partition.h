// The documents to learn from, in the order of the tree's leaves: a leaf's documents are contiguous
// and ascending.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/page_array.h"
#include "podium/thread_pool.h"
#include "trees/binned_dataset.h"
#include "trees/leaf_words.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// Which bins of a column go left.
struct BinRoute {
  BinRoute(const BinnedFeature& feature, std::uint32_t last_left, bool missing_left);
  // These bins only.
  BinRoute(const BinnedFeature& feature, std::span<const std::uint32_t> lefts);
  std::vector<std::uint8_t> left;  // by bin: 0 or 1
};

// How the documents begin … end − 1 of the order become two leaves.
struct LeafSplit {
  std::size_t begin, end;
  std::size_t column;
  BinRoute route;
  std::optional<std::size_t> lefts = {};  // how many go left, where that is known
};

enum class ChildSide { left, right };

// The words of a child, gathered while its documents move.
struct ChildWords {
  ChildSide side;
  std::span<const std::uint64_t> words;  // one per document of the data
  LeafWords& out;
};

class DocumentPartition {
 public:
  // One leaf of all documents, or of the sample.
  void reset(std::size_t documents, const DocumentSample& sample, ThreadPool& pool);

  std::span<const std::uint32_t> all() const { return order_.view(); }
  std::span<const std::uint32_t> part(std::size_t begin, std::size_t end) const {
    return order_.view().subspan(begin, end - begin);
  }

  // Moves the documents that go left to the front, and returns their number. `gathered` null: no
  // words are wanted.
  std::size_t split(const LeafSplit& split, const BinnedDataset& data, const ChildWords* gathered,
                    ThreadPool& pool);

 private:
  struct Chunk;
  Chunk chunk(const LeafSplit& split, std::size_t c) const;
  void deal(const LeafSplit& split, const BinnedDataset& data, std::size_t c);
  void collect(const LeafSplit& split, std::size_t c, const ChildWords* gathered);

  PageArray<std::uint32_t> order_, scratch_;
  std::vector<std::size_t> lefts_;  // before each chunk, and in all
};

}  // namespace podium
