#include "trees/histogram.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "trees/histogram_kernels.h"
#include "trees/run_tasks.h"

namespace podium {
namespace {

constexpr std::size_t kTasksAThread = 4;
constexpr std::size_t kShortestSlice = 1024;  // documents, for which a table of its own pays
constexpr std::size_t kStride = BinnedDataset::kBinStride;

// Adds packed sums to wide ones, or sets them, and clears the packed ones.
void flush(std::uint64_t* table, std::size_t bins, DerivativeSums* out) {
  for (std::size_t b = 0; b < bins; ++b) {
    out[b] += unpack(table[b]);
    table[b] = 0;
  }
}
void flush_first(std::uint64_t* table, std::size_t bins, DerivativeSums* out) {
  for (std::size_t b = 0; b < bins; ++b) {
    out[b] = unpack(table[b]);
    table[b] = 0;
  }
}

}  // namespace

struct HistogramBuilder::Leaf {
  const std::uint32_t* documents;  // null: all documents
  const std::uint64_t* words;      // in the leaf's order
};

HistogramBuilder::HistogramBuilder(const BinnedDataset& data, ThreadPool& pool)
    : data_(data), pool_(pool) {
  std::vector<std::uint32_t> all(data.columns().size());
  std::iota(all.begin(), all.end(), 0U);
  use_columns(all);
}

void HistogramBuilder::use_columns(std::span<const std::uint32_t> columns) {
  columns_.assign(columns.begin(), columns.end());
  block_columns_.assign(data_.blocks().size(), {});
  for (const std::uint32_t c : columns) {
    const BinnedFeature& feature = data_.columns()[c];
    if (!feature.is_sparse()) block_columns_[feature.block].push_back(feature.column);
  }
}

DerivativeSums HistogramBuilder::build(std::span<const std::uint32_t> documents,
                                       std::span<const std::uint64_t> words, Histogram out) {
  gathered_.gather(documents, words, pool_);
  add(documents, gathered_, out);
  run_tasks(pool_, columns_.size(), slices_.size() * data_.total_bins(),
            [&](std::size_t i) { complete(columns_[i], out); });
  return total_;
}

void HistogramBuilder::add(std::span<const std::uint32_t> documents, const LeafWords& words,
                           Histogram out) {
  const std::size_t n = documents.size();
  const bool all = n == data_.documents();
  const Leaf leaf{all ? nullptr : documents.data(), words.words().data()};
  total_ = words.total();
  const std::size_t blocks = data_.blocks().size();
  const std::size_t units = blocks + (data_.sparse().columns.empty() ? 0 : 1);
  if (units == 0) return;
  const std::size_t tasks = kTasksAThread * static_cast<std::size_t>(pool_.threads());
  const std::size_t wanted = pool_.threads() == 1 ? 1 : (tasks + units - 1) / units;
  const std::size_t slices = std::min(wanted, std::max<std::size_t>(1, n / kShortestSlice));
  slices_.resize(slices);
  for (std::size_t s = 0; s < slices; ++s) slices_[s] = cut(words, s, slices);
  others_.resize((slices - 1) * data_.total_bins());
  const std::size_t operations = n * data_.columns().size() + data_.total_bins();
  // The sparse rows, the largest task, first.
  run_tasks(pool_, units * slices, operations, [&](std::size_t task) {
    const std::size_t unit = units - 1 - task / slices, slice = task % slices;
    const std::size_t bins = data_.total_bins();
    const Histogram to = slice == 0 ? out : Histogram(others_.data() + (slice - 1) * bins, bins);
    if (unit < blocks)
      add_block(leaf, unit, slices_[slice], to);
    else
      add_sparse(leaf, slices_[slice], to);
  });
}

void HistogramBuilder::complete(std::uint32_t column, Histogram out) const {
  const BinnedFeature& feature = data_.columns()[column];
  const Histogram bins = out.subspan(feature.first_bin, feature.bins());
  for (std::size_t slice = 1; slice < slices_.size(); ++slice) {
    const DerivativeSums* const other =
        others_.data() + (slice - 1) * data_.total_bins() + feature.first_bin;
    for (std::size_t b = 0; b < bins.size(); ++b) bins[b] += other[b];
  }
  if (!feature.is_sparse()) return;
  DerivativeSums rest = total_;
  for (const DerivativeSums& bin : bins) rest -= bin;
  bins[feature.default_bin] = rest;
}

// One of several slices with about equally many pieces, cut into stretches as long as no field can
// overflow.
std::vector<HistogramBuilder::Stretch> HistogramBuilder::cut(const LeafWords& words,
                                                             std::size_t slice,
                                                             std::size_t slices) const {
  const auto pieces = words.pieces();
  const std::size_t first = slice * pieces.size() / slices;
  const std::size_t last = (slice + 1) * pieces.size() / slices;
  const auto begin_of = [&](std::size_t p) {
    return p < pieces.size() ? pieces[p].begin : words.words().size();
  };
  std::vector<Stretch> stretches = {{begin_of(first), begin_of(first)}};
  WordPiece sum;
  for (std::size_t p = first; p < last; ++p) {
    WordPiece next = sum;
    next.sums += pieces[p].sums;
    next.absolute_first += pieces[p].absolute_first;
    if (next.absolute_first > kMostFirstSum || next.sums.second > kMostSecondSum ||
        next.sums.documents > kMostDocuments) {
      stretches.push_back({begin_of(p), begin_of(p)});
      next = pieces[p];
    }
    stretches.back().end = begin_of(p + 1);
    sum = next;
  }
  return stretches;
}

void HistogramBuilder::add_block(const Leaf& leaf, std::size_t block,
                                 std::span<const Stretch> stretches, Histogram out) const {
  const auto& used = block_columns_[block];
  if (used.empty()) return;
  const auto& stored = data_.blocks()[block];
  alignas(64) std::array<std::uint64_t, BinnedDataset::kBlockWidth * kStride> table;
  std::fill_n(table.begin(), stored.width() * kStride, 0);
  auto* store = &flush_first;
  for (const Stretch& stretch : stretches) {
    BlockRows rows{stored.bins.data(), stored.width(), nullptr, leaf.words + stretch.begin,
                   stretch.end - stretch.begin};
    if (leaf.documents)
      rows.documents = leaf.documents + stretch.begin;
    else
      rows.bins += stretch.begin * stored.width();
    // Going column by column pays only if less than half of the columns are in use.
    if (2 * used.size() < stored.width())
      add_columns(rows, used, table.data());
    else
      add_rows(rows, table.data());
    for (std::size_t column = 0; column < stored.width(); ++column) {
      const BinnedFeature& feature = data_.columns()[stored.columns[column]];
      store(table.data() + column * kStride, feature.bins(), out.data() + feature.first_bin);
    }
    store = &flush;
  }
}

void HistogramBuilder::add_sparse(const Leaf& leaf, std::span<const Stretch> stretches,
                                  Histogram out) const {
  const auto& sparse = data_.sparse();
  std::vector<std::uint64_t> table(sparse.bins);
  auto* store = &flush_first;
  for (const Stretch& stretch : stretches) {
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
      if (const std::size_t ahead = i + BinnedDataset::kFetchedAhead; ahead < stretch.end)
        sparse.fetch(leaf.documents ? leaf.documents[ahead] : ahead);
      for (const std::uint32_t entry : sparse.row(leaf.documents ? leaf.documents[i] : i))
        table[entry] += leaf.words[i];
    }
    for (const std::uint32_t c : sparse.columns) {
      const BinnedFeature& feature = data_.columns()[c];
      store(table.data() + feature.sparse_begin, feature.bins(), out.data() + feature.first_bin);
    }
    store = &flush;
  }
}

void subtract(Histogram large, ConstHistogram small, const BinnedFeature& feature) {
  for (std::size_t b = feature.first_bin; b < feature.first_bin + feature.bins(); ++b)
    large[b] -= small[b];
}

}  // namespace podium
