// Features cut into bins for trees: numbers into at most 255, one byte each.
//
// Bin b of a feature contains the values x with thresholds[b − 1] < x ≤ thresholds[b], so a split
// after bin b sends exactly the x ≤ thresholds[b] to the left; missing values have their own bin
// after the others. Each frequent value of a category is a bin; the rare ones share the bin of
// missing values (category_bins.h). Features with one bin are left out. Bins are stored in two
// ways:
//
//   dense    blocks of 16 features, [document][feature in block], one byte each: the documents'
//            bytes are read in order while a block's histograms stay in the nearest cache;
//   sparse   for features with almost all documents in one bin, and for categories with more bins
//            than a byte can number: a list for each document of the bins that are not that one.
//
// Edges come from a sample of documents that is chosen by hash and gathered over ranks: they do not
// depend on how the documents are distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/page_array.h"
#include "core/spill_array.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct BinOptions {
  int max_bins = 255;                     // per feature, including that of missing values; ≥ 2
  std::size_t sample_documents = 200000;  // for bin edges; approximate maximum
  double sparse_from =
      0.85;  // share of documents in one bin that makes a feature sparse; > 1: none
  std::optional<Storage> storage = {};  // of the bins; nullopt: in memory if they fit
  // Per category, including that of missing and rare values; 2 … 65535.
  int max_category_bins = 1024;
  std::int64_t min_category_docs = 1;  // values with fewer documents are rare
};

struct BinnedFeature {
  std::uint32_t feature = 0;  // its number in the data
  std::vector<float> thresholds;
  float above_all = 0;                    // a threshold that no value exceeds
  bool is_category = false;               // it has codes instead of thresholds
  std::vector<std::uint32_t> codes = {};  // of each bin but that of missing values, ascending
  bool has_missing = false;     // anywhere in the data, on any rank; of a category also rare values
  std::uint32_t first_bin = 0;  // index in histograms
  // Where its bins are stored: in a column of a dense block, or in the sparse rows.
  static constexpr std::uint32_t kSparse = 0xFFFFFFFF;
  std::uint32_t block = kSparse;
  std::uint32_t column = 0;        // dense
  std::uint32_t sparse_begin = 0;  // sparse: the entry that means bin 0
  std::uint32_t default_bin = 0;   // sparse: the bin of documents without an entry

  std::uint32_t value_bins() const {
    return static_cast<std::uint32_t>(is_category ? codes.size() : thresholds.size() + 1);
  }
  std::uint32_t bins() const { return value_bins() + (has_missing ? 1 : 0); }
  bool is_sparse() const { return block == kSparse; }
  // The threshold of a split after bin b; b = value_bins() − 1 separates missing values.
  float threshold(std::uint32_t b) const {
    return b < thresholds.size() ? thresholds[b] : above_all;
  }
};

class BinnedDataset {
 public:
  static constexpr std::size_t kBlockWidth = 16;
  static constexpr std::size_t kBinStride = 256;
  static constexpr std::size_t kFetchedAhead = 16;  // documents
  using Bin = std::uint16_t;

  struct DenseBlock {
    std::vector<std::uint32_t> columns;  // indices of columns(), one per byte of a row
    SpillArray<std::uint8_t> bins;       // documents × columns.size()
    std::size_t width() const { return columns.size(); }
  };
  struct SparseRows {
    std::vector<std::uint32_t> columns;
    std::uint32_t bins = 0;              // of all its features
    PageArray<std::uint64_t> row_begin;  // documents + 1, when there are columns
    SpillArray<std::uint32_t> entries;   // sparse_begin + bin, ascending in a row
    std::span<const std::uint32_t> row(std::size_t document) const {
      return entries.view().subspan(row_begin[document],
                                    row_begin[document + 1] - row_begin[document]);
    }
    // Into the cache: rows of a leaf's documents are far from each other.
    void fetch(std::size_t document) const {
      __builtin_prefetch(entries.data() + row_begin[document]);
    }
  };

  // Throws an Error if the options or the data cannot be used.
  static BinnedDataset bin(const Dataset& data, const BinOptions& options, Context& context);

  std::size_t documents() const { return documents_; }
  std::size_t features() const { return features_; }  // of the data, including constant ones
  // The features with more than one bin, in the data's order.
  std::span<const BinnedFeature> columns() const { return columns_; }
  std::size_t total_bins() const { return total_bins_; }
  std::span<const DenseBlock> blocks() const { return blocks_; }
  const SparseRows& sparse() const { return sparse_; }
  // A hash for each document, of its query's id and its position there.
  std::span<const std::uint32_t> keys() const { return keys_.view(); }
  std::size_t bytes() const;

  Bin bin_of(std::size_t column, std::size_t document) const;
  // The bins of many documents.
  void bins_of(std::size_t column, std::span<const std::uint32_t> documents, Bin* out) const;

 private:
  Bin sparse_bin(const BinnedFeature& feature, std::size_t document) const;
  // The same; `place`: of the feature among the sparse columns.
  Bin sparse_bin(const BinnedFeature& feature, std::size_t place, std::size_t document) const;

  std::size_t documents_ = 0;
  std::size_t features_ = 0;
  std::size_t total_bins_ = 0;
  std::vector<BinnedFeature> columns_;
  std::vector<DenseBlock> blocks_;
  SparseRows sparse_;
  PageArray<std::uint32_t> keys_;
};

}  // namespace podium
