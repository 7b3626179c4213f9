#include "trees/bin_documents.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "trees/bin_kernels.h"
#include "trees/category_bins.h"

namespace podium {
namespace {

constexpr std::size_t kChunk = 1024, kStretch = 64 * kChunk, kTile = 32;  // documents
constexpr std::uint32_t kDropped = 0xFFFFFFFF;

// The stored values of a sparse row, for features that have a column.
struct StoredValues {
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  std::vector<std::uint8_t> bins;

  void take(const Rows::Sparse& row, const std::vector<std::uint32_t>& column_of) {
    columns.clear();
    values.clear();
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      const std::uint32_t c = column_of[row.columns[i]];
      if (c == kDropped) continue;
      columns.push_back(c);
      values.push_back(row.values[i]);
    }
  }
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
      column_of_[feature.feature] = static_cast<std::uint32_t>(tables_.size());
      tables_.emplace_back(feature);
      categories_.push_back(feature.is_category ? CategoryTable(feature) : CategoryTable());
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

  // Entries are collected from all documents and joined; or, if they go to a file, from one stretch
  // of documents at a time.
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
    const RowsToBin all{rows.dense(0).data(), rows.features(), rows.documents()};
    for (auto& block : blocks_) {
      std::uint8_t* const out = block.bins.data() + begin * block.width();
      find_bins(tables_, block.columns, all, out);
      for (std::size_t i = 0; i < block.width(); ++i)
        if (const CategoryTable& table = categories_[block.columns[i]]; !table.empty())
          for (std::size_t d = 0; d < rows.documents(); ++d)
            out[d * block.width() + i] = narrow(table(rows.dense(d)[table.feature()]));
    }
    if (sparse_.columns.empty()) return;
    const std::size_t width = sparse_.columns.size();
    std::vector<std::uint8_t> bins(kTile * width);
    std::vector<std::uint32_t> entries(width);
    for (std::size_t first = 0; first < rows.documents(); first += kTile) {
      const RowsToBin tile{rows.dense(first).data(), rows.features(),
                           std::min(kTile, rows.documents() - first)};
      find_bins(tables_, sparse_.columns, tile, bins.data());
      for (std::size_t d = 0; d < tile.documents; ++d)
        add_entries(begin + first + d, rows.dense(first + d).data(),
                    std::span(bins).subspan(d * width, width), entries);
    }
  }

  static std::uint8_t narrow(BinnedDataset::Bin bin) { return static_cast<std::uint8_t>(bin); }

  // Adds the entries of a document that has these bins in the sparse columns of numbers; `entries`
  // has room for one per column.
  void add_entries(std::size_t document, const float* row, std::span<const std::uint8_t> bins,
                   std::vector<std::uint32_t>& entries) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      const BinnedFeature& feature = columns_[sparse_.columns[i]];
      const CategoryTable& category = categories_[sparse_.columns[i]];
      const std::uint32_t bin = category.empty() ? bins[i] : category(row[feature.feature]);
      entries[count] = feature.sparse_begin + bin;
      count += bin != feature.default_bin;
    }
    auto& out = entries_[document / kChunk];
    out.insert(out.end(), entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count));
    sparse_.row_begin[document + 1] = count;
  }

  void bin_sparse(const Rows& rows, std::size_t begin) {
    for (auto& block : blocks_) {
      const std::vector<float> values(block.width(), rows.absent());
      std::array<std::uint8_t, BinnedDataset::kBlockWidth> absent = {};
      find_bins(tables_, block.columns, values.data(), absent.data());
      for (std::size_t i = 0; i < block.width(); ++i)
        if (const CategoryTable& table = categories_[block.columns[i]]; !table.empty())
          absent[i] = narrow(table(rows.absent()));
      for (std::size_t d = begin; d < begin + rows.documents(); ++d)
        std::memcpy(block.bins.data() + d * block.width(), absent.data(), block.width());
    }
    StoredValues stored;
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      stored.take(rows.sparse(d), column_of_);
      put_stored(begin + d, stored);
    }
  }

  void put_stored(std::size_t document, StoredValues& stored) {
    stored.bins.resize(stored.columns.size());
    find_bins(tables_, stored.columns, stored.values.data(), stored.bins.data());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < stored.columns.size(); ++i) {
      const BinnedFeature& feature = columns_[stored.columns[i]];
      const CategoryTable& category = categories_[stored.columns[i]];
      const std::uint32_t bin = category.empty() ? stored.bins[i] : category(stored.values[i]);
      if (!feature.is_sparse()) {
        auto& block = blocks_[feature.block];
        block.bins[document * block.width() + feature.column] = static_cast<std::uint8_t>(bin);
      } else if (bin != feature.default_bin) {
        entries_[document / kChunk].push_back(feature.sparse_begin + bin);
        ++count;
      }
    }
    if (!sparse_.columns.empty()) sparse_.row_begin[document + 1] = count;
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
  std::vector<BinTable> tables_;                     // by column
  std::vector<CategoryTable> categories_;            // by column; empty: a number
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

BinnedDataset::Bin find_bin(const BinnedFeature& feature, float x) {
  if (feature.is_category) return CategoryTable(feature)(x);
  const BinTable table(feature);
  constexpr std::uint32_t kColumn = 0;
  std::uint8_t bin = 0;
  find_bins(std::span(&table, 1), std::span(&kColumn, 1), &x, &bin);
  return bin;
}

}  // namespace podium
