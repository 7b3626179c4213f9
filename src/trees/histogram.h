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
#include <span>
#include <vector>

#include "core/page_array.h"
#include "podium/thread_pool.h"
#include "trees/binned_dataset.h"
#include "trees/leaf_words.h"
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

  // The same in two steps, so that whoever needs a column next can do the second for it, in any
  // thread: add() sums slices of the documents side by side, complete() adds up the slices of one
  // column. The words are those of the documents.
  void add(std::span<const std::uint32_t> documents, const LeafWords& words, Histogram out);
  void complete(std::uint32_t column, Histogram out) const;

 private:
  // Documents begin … end − 1 of the leaf, whose words can be added without overflow.
  struct Stretch {
    std::size_t begin, end;
  };
  struct Leaf;

  std::vector<Stretch> cut(const LeafWords& words, std::size_t slice, std::size_t slices) const;
  void add_block(const Leaf& leaf, std::size_t block, std::span<const Stretch> stretches,
                 Histogram out) const;
  void add_sparse(const Leaf& leaf, std::span<const Stretch> stretches, Histogram out) const;

  const BinnedDataset& data_;
  ThreadPool& pool_;
  std::vector<std::vector<std::uint32_t>> block_columns_;  // of each block, those in use
  std::vector<std::uint32_t> columns_;                     // in use
  LeafWords gathered_;                                     // by build()
  // Of the last add(): the documents of each slice, the histograms of all slices but the first, and
  // the sums over all.
  std::vector<std::vector<Stretch>> slices_;
  PageArray<DerivativeSums> others_;
  DerivativeSums total_;
};

// large −= small, for the bins of one feature.
void subtract(Histogram large, ConstHistogram small, const BinnedFeature& feature);

}  // namespace podium
