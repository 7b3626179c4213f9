#include "trees/bin_documents.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace podium {
namespace {

constexpr std::size_t kChunk = 1024, kStretch = 64 * kChunk;  // documents
constexpr std::uint32_t kDropped = 0xFFFFFFFF;

// A feature's thresholds, filled up with ∞ to a perfect search tree: eight steps, no branches.
class BinSearch {
 public:
  explicit BinSearch(const BinnedFeature& feature)
      : missing_(static_cast<std::uint8_t>(feature.value_bins())) {
    thresholds_.fill(std::numeric_limits<float>::infinity());
    std::copy(feature.thresholds.begin(), feature.thresholds.end(), thresholds_.begin());
  }
  std::uint8_t operator()(float x) const {
    if (x != x) return missing_;
    std::size_t bin = 0;
#pragma GCC unroll 8
    for (int step = 7; step >= 0; --step) {
      const bool above = thresholds_[bin + (std::size_t{1} << step) - 1] < x;
      bin += static_cast<std::size_t>(above) << step;
    }
    return static_cast<std::uint8_t>(bin);
  }

 private:
  std::array<float, 255> thresholds_;
  std::uint8_t missing_;
};

class Binning {
 public:
  Binning(const Dataset& data, std::span<const BinnedFeature> columns,
          std::vector<BinnedDataset::DenseBlock>& blocks, BinnedDataset::SparseRows& sparse,
          std::optional<Storage> storage)
      : data_(data),
        columns_(columns),
        blocks_(blocks),
        sparse_(sparse),
        column_of_(data.features(), kDropped),
        entries_((data.documents() + kChunk - 1) / kChunk) {
    for (const BinnedFeature& feature : columns) {
      column_of_[feature.feature] = static_cast<std::uint32_t>(searches_.size());
      searches_.emplace_back(feature);
    }
    std::size_t bytes = 0;
    for (const auto& block : blocks) bytes += data.documents() * block.width();
    const Storage dense = storage.value_or(storage_for(bytes));
    for (auto& block : blocks)
      block.bins = SpillArray<std::uint8_t>(data.documents() * block.width(), dense);
    if (sparse.columns.empty()) return;
    sparse.row_begin.resize(data.documents() + 1);
    sparse.row_begin[0] = 0;
    entries_storage_ = storage.value_or(storage_for(most_entries() * sizeof(std::uint32_t)));
  }

  // Entries are collected from all documents and joined; or, where they go to a file, a stretch of
  // documents at a time.
  void run(ThreadPool& pool) {
    const bool in_stretches = entries_storage_ == Storage::file;
    if (in_stretches) sparse_.entries = SpillArray<std::uint32_t>(most_entries(), entries_storage_);
    const std::size_t documents = data_.documents(), step = in_stretches ? kStretch : documents;
    for (std::size_t first = 0; first < documents; first += step) {
      const std::size_t last = std::min(documents, first + step);
      parallel_for(pool, last - first, kChunk, [&](std::size_t begin, std::size_t end) {
        const Rows rows = data_.rows(first + begin, first + end);
        if (rows.is_dense())
          bin_dense(rows, first + begin);
        else
          bin_sparse(rows, first + begin);
      });
      if (!sparse_.columns.empty()) join_entries(first, last);
    }
  }

 private:
  static std::size_t stored(std::span<const std::uint64_t> row_begin) {
    return row_begin.back() - row_begin.front();
  }
  std::size_t most_entries() const {
    return data_.is_dense() ? data_.documents() * sparse_.columns.size()
                            : stored(data_.parts().row_begin.view());
  }

  void bin_dense(const Rows& rows, std::size_t begin) {
    for (auto& block : blocks_) {
      std::uint8_t* out = block.bins.data() + begin * block.width();
      for (std::size_t d = 0; d < rows.documents(); ++d) {
        const auto row = rows.dense(d);
        for (const std::uint32_t c : block.columns) *out++ = searches_[c](row[columns_[c].feature]);
      }
    }
    if (sparse_.columns.empty()) return;
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      const auto row = rows.dense(d);
      std::uint64_t count = 0;
      for (const std::uint32_t c : sparse_.columns)
        count += add_entry(begin, c, row[columns_[c].feature]);
      sparse_.row_begin[begin + d + 1] = count;
    }
  }

  void bin_sparse(const Rows& rows, std::size_t begin) {
    for (auto& block : blocks_) {
      std::array<std::uint8_t, BinnedDataset::kBlockWidth> absent = {};
      for (std::size_t i = 0; i < block.width(); ++i)
        absent[i] = searches_[block.columns[i]](rows.absent());
      for (std::size_t d = begin; d < begin + rows.documents(); ++d)
        std::memcpy(block.bins.data() + d * block.width(), absent.data(), block.width());
    }
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      const auto row = rows.sparse(d);
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < row.columns.size(); ++i) {
        const std::uint32_t c = column_of_[row.columns[i]];
        if (c == kDropped) continue;
        const BinnedFeature& feature = columns_[c];
        if (feature.is_sparse()) {
          count += add_entry(begin, c, row.values[i]);
        } else {
          auto& block = blocks_[feature.block];
          block.bins[(begin + d) * block.width() + feature.column] = searches_[c](row.values[i]);
        }
      }
      if (!sparse_.columns.empty()) sparse_.row_begin[begin + d + 1] = count;
    }
  }

  std::uint64_t add_entry(std::size_t begin, std::uint32_t c, float x) {
    const std::uint8_t bin = searches_[c](x);
    if (bin == columns_[c].default_bin) return 0;
    entries_[begin / kChunk].push_back(columns_[c].sparse_begin + bin);
    return 1;
  }

  void join_entries(std::size_t first, std::size_t last) {
    auto& begin = sparse_.row_begin;
    for (std::size_t d = first; d < last; ++d) begin[d + 1] += begin[d];
    if (entries_storage_ == Storage::memory)
      sparse_.entries = SpillArray<std::uint32_t>(begin[last], entries_storage_);
    std::uint32_t* out = sparse_.entries.data() + begin[first];
    for (std::size_t part = first / kChunk; part * kChunk < last; ++part) {
      out = std::copy(entries_[part].begin(), entries_[part].end(), out);
      std::vector<std::uint32_t>().swap(entries_[part]);
    }
  }

  const Dataset& data_;
  std::span<const BinnedFeature> columns_;
  std::vector<BinnedDataset::DenseBlock>& blocks_;
  BinnedDataset::SparseRows& sparse_;
  std::vector<std::uint32_t> column_of_;             // by feature
  std::vector<BinSearch> searches_;                  // by column
  std::vector<std::vector<std::uint32_t>> entries_;  // by chunk
  Storage entries_storage_ = Storage::memory;
};

}  // namespace

void bin_documents(const Dataset& data, std::span<const BinnedFeature> columns,
                   std::vector<BinnedDataset::DenseBlock>& blocks,
                   BinnedDataset::SparseRows& sparse, std::optional<Storage> storage,
                   ThreadPool& pool) {
  Binning(data, columns, blocks, sparse, storage).run(pool);
}

std::uint8_t find_bin(const BinnedFeature& feature, float x) {
  return BinSearch(feature)(x);
}

}  // namespace podium
