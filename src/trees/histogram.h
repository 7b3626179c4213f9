// Histograms of a leaf: for each bin of each feature, the sums of the quantised derivatives over
// the leaf's documents in it.
//
// Packed words (quantized_derivatives.h) are added, with one 64-bit addition per update, into a
// small table for a block of features and a stretch of documents short enough that no field
// overflows; then the table is unpacked into 64-bit sums. Sums of integers do not depend on the
// order, so blocks and stretches can be distributed over threads in any way. For a sparse feature
// only the documents outside its default bin are visited: the sums of that bin are what remains of
// the leaf's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "podium/thread_pool.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// By bin: feature c of the data's columns() has bins first_bin … first_bin + bins() − 1.
using Histogram = std::span<DerivativeSums>;
using ConstHistogram = std::span<const DerivativeSums>;

class HistogramBuilder {
 public:
  HistogramBuilder(const BinnedDataset& data, ThreadPool& pool);

  // The columns to sum, ascending; the bins of others stay undefined. Initially all.
  void use_columns(std::span<const std::uint32_t> columns);

  // Sets the histogram of `documents` (ascending) from one word per document of the data, and
  // returns the sums over all of them. For this rank alone.
  DerivativeSums build(std::span<const std::uint32_t> documents,
                       std::span<const std::uint64_t> words, Histogram out);

 private:
  // Documents begin … end − 1 of the leaf, whose words can be added without overflow.
  struct Stretch {
    std::size_t begin, end;
  };
  struct Leaf;

  DerivativeSums gather(std::span<const std::uint32_t> documents,
                        std::span<const std::uint64_t> words);
  std::vector<std::vector<Stretch>> cut(std::size_t documents, std::size_t slices) const;
  void build_block(const Leaf& leaf, std::size_t block, std::span<const Stretch> stretches,
                   Histogram out, std::mutex& mutex) const;
  void build_sparse(const Leaf& leaf, std::span<const Stretch> stretches, Histogram out,
                    std::mutex& mutex) const;
  void finish_sparse(const DerivativeSums& total, Histogram out) const;

  const BinnedDataset& data_;
  ThreadPool& pool_;
  std::vector<std::vector<std::uint32_t>> block_columns_;  // of each block, those in use
  std::vector<char> in_use_;                               // by column
  std::vector<std::uint64_t> ordered_;                     // the leaf's words, in its order
  struct Piece {
    DerivativeSums sums;
    std::int64_t absolute_first = 0;
  };
  std::vector<Piece> pieces_;
};

// large −= small, bin by bin.
void subtract(Histogram large, ConstHistogram small, ThreadPool& pool);

}  // namespace podium
