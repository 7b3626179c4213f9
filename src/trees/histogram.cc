#include "trees/histogram.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <numeric>

#include "trees/histogram_kernels.h"
#include "trees/run_tasks.h"

namespace podium {
namespace {

// The shortest stretch: even the largest derivatives cannot overflow.
constexpr std::size_t kPiece = 4096;
static_assert(kMostFirst * static_cast<std::int64_t>(kPiece) <= kMostFirstSum);
static_assert(kMostSecond * static_cast<std::int64_t>(kPiece) <= kMostSecondSum);

constexpr std::size_t kTasksAThread = 4;
constexpr std::size_t kBinsAChunk = 4096;
constexpr std::size_t kStride = BinnedDataset::kBinStride;

// Adds packed sums to wide ones, and clears them.
void flush(std::uint64_t* table, std::size_t bins, DerivativeSums* out) {
  for (std::size_t b = 0; b < bins; ++b) {
    out[b] += unpack(table[b]);
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
  in_use_.assign(data_.columns().size(), 0);
  block_columns_.assign(data_.blocks().size(), {});
  for (const std::uint32_t c : columns) {
    in_use_[c] = 1;
    const BinnedFeature& feature = data_.columns()[c];
    if (!feature.is_sparse()) block_columns_[feature.block].push_back(feature.column);
  }
}

DerivativeSums HistogramBuilder::build(std::span<const std::uint32_t> documents,
                                       std::span<const std::uint64_t> words, Histogram out) {
  const std::size_t n = documents.size();
  const DerivativeSums total = gather(documents, words);
  const bool all = n == data_.documents();
  const Leaf leaf{all ? nullptr : documents.data(), all ? words.data() : ordered_.data()};

  const std::size_t blocks = data_.blocks().size();
  const std::size_t units = blocks + (data_.sparse().columns.empty() ? 0 : 1);
  if (units == 0) return total;
  const std::size_t tasks = kTasksAThread * static_cast<std::size_t>(pool_.threads());
  const std::size_t wanted = pool_.threads() == 1 ? 1 : (tasks + units - 1) / units;
  const auto slices = cut(n, std::min(wanted, std::max<std::size_t>(1, pieces_.size())));
  std::fill(out.begin(), out.end(), DerivativeSums{});
  std::vector<std::mutex> mutexes(units);
  const std::size_t operations = n * data_.columns().size() + data_.total_bins();
  // The sparse rows, the largest task, first.
  run_tasks(pool_, units * slices.size(), operations, [&](std::size_t task) {
    const std::size_t unit = units - 1 - task % units;
    const auto& stretches = slices[task / units];
    if (unit < blocks)
      build_block(leaf, unit, stretches, out, mutexes[unit]);
    else
      build_sparse(leaf, stretches, out, mutexes[unit]);
  });
  finish_sparse(total, out);
  return total;
}

// The leaf's words in its order, and each piece's sums.
DerivativeSums HistogramBuilder::gather(std::span<const std::uint32_t> documents,
                                        std::span<const std::uint64_t> words) {
  const std::size_t n = documents.size();
  const bool all = n == data_.documents();
  pieces_.assign((n + kPiece - 1) / kPiece, {});
  if (!all) ordered_.resize(std::max(ordered_.size(), n));
  run_tasks(pool_, pieces_.size(), n, [&](std::size_t p) {
    Piece piece;
    const std::size_t end = std::min(n, (p + 1) * kPiece);
    for (std::size_t i = p * kPiece; i < end; ++i) {
      const std::uint64_t word = words[all ? i : documents[i]];
      if (!all) ordered_[i] = word;
      const DerivativeSums one = unpack(word);
      piece.sums += one;
      piece.absolute_first += std::abs(one.first);
    }
    pieces_[p] = piece;
  });
  DerivativeSums total;
  for (const Piece& piece : pieces_) total += piece.sums;
  return total;
}

// Slices of about equally many pieces, each cut into stretches as long as no field can overflow.
std::vector<std::vector<HistogramBuilder::Stretch>> HistogramBuilder::cut(
    std::size_t documents, std::size_t slices) const {
  std::vector<std::vector<Stretch>> cuts(slices);
  for (std::size_t s = 0; s < slices; ++s) {
    const std::size_t last = (s + 1) * pieces_.size() / slices;
    Piece sum;
    for (std::size_t p = s * pieces_.size() / slices; p < last; ++p) {
      Piece next = sum;
      next.sums += pieces_[p].sums;
      next.absolute_first += pieces_[p].absolute_first;
      const bool fits = next.absolute_first <= kMostFirstSum &&
                        next.sums.second <= kMostSecondSum && next.sums.documents <= kMostDocuments;
      if (cuts[s].empty() || !fits) {
        cuts[s].push_back({p * kPiece, p * kPiece});
        next = pieces_[p];
      }
      cuts[s].back().end = std::min(documents, (p + 1) * kPiece);
      sum = next;
    }
  }
  return cuts;
}

void HistogramBuilder::build_block(const Leaf& leaf, std::size_t block,
                                   std::span<const Stretch> stretches, Histogram out,
                                   std::mutex& mutex) const {
  const auto& used = block_columns_[block];
  if (used.empty()) return;
  const auto& stored = data_.blocks()[block];
  alignas(64) std::array<std::uint64_t, BinnedDataset::kBlockWidth * kStride> table;
  std::fill_n(table.begin(), stored.width() * kStride, 0);
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
    const std::scoped_lock lock(mutex);
    for (std::size_t column = 0; column < stored.width(); ++column) {
      const BinnedFeature& feature = data_.columns()[stored.columns[column]];
      flush(table.data() + column * kStride, feature.bins(), out.data() + feature.first_bin);
    }
  }
}

void HistogramBuilder::build_sparse(const Leaf& leaf, std::span<const Stretch> stretches,
                                    Histogram out, std::mutex& mutex) const {
  const auto& sparse = data_.sparse();
  std::vector<std::uint64_t> table(sparse.bins);
  for (const Stretch& stretch : stretches) {
    for (std::size_t i = stretch.begin; i < stretch.end; ++i)
      for (const std::uint32_t entry : sparse.row(leaf.documents ? leaf.documents[i] : i))
        table[entry] += leaf.words[i];
    const std::scoped_lock lock(mutex);
    for (const std::uint32_t c : sparse.columns) {
      const BinnedFeature& feature = data_.columns()[c];
      flush(table.data() + feature.sparse_begin, feature.bins(), out.data() + feature.first_bin);
    }
  }
}

void HistogramBuilder::finish_sparse(const DerivativeSums& total, Histogram out) const {
  for (const std::uint32_t c : data_.sparse().columns) {
    if (!in_use_[c]) continue;
    const BinnedFeature& feature = data_.columns()[c];
    DerivativeSums rest = total;
    for (const DerivativeSums& bin : out.subspan(feature.first_bin, feature.bins())) rest -= bin;
    out[feature.first_bin + feature.default_bin] = rest;
  }
}

void subtract(Histogram large, ConstHistogram small, ThreadPool& pool) {
  const std::size_t chunks = (large.size() + kBinsAChunk - 1) / kBinsAChunk;
  run_tasks(pool, chunks, large.size(), [&](std::size_t chunk) {
    const std::size_t end = std::min(large.size(), (chunk + 1) * kBinsAChunk);
    for (std::size_t b = chunk * kBinsAChunk; b < end; ++b) large[b] -= small[b];
  });
}

}  // namespace podium
