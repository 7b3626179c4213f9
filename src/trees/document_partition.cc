#include "trees/document_partition.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "trees/run_tasks.h"

namespace podium {
namespace {

constexpr std::size_t kPartitionChunk = WordPiece::kMostDocuments;
constexpr std::size_t kResetChunk = 8192;

}  // namespace

BinRoute::BinRoute(const BinnedFeature& feature, std::uint32_t last_left, bool missing_left)
    : left(feature.bins()) {
  for (std::uint32_t b = 0; b <= last_left; ++b) left[b] = 1;
  if (feature.has_missing) left[feature.value_bins()] = missing_left;
}

BinRoute::BinRoute(const BinnedFeature& feature, std::span<const std::uint32_t> lefts)
    : left(feature.bins()) {
  for (const std::uint32_t b : lefts) left[b] = 1;
}

void DocumentPartition::reset(std::size_t documents, const DocumentSample& sample,
                              ThreadPool& pool) {
  const std::size_t n = sample ? sample->size() : documents;
  order_.resize(n);
  scratch_.resize(n);
  parallel_for(pool, n, kResetChunk, [&](std::size_t begin, std::size_t end) {
    if (sample)
      std::copy(sample->data() + begin, sample->data() + end, order_.data() + begin);
    else
      std::iota(order_.data() + begin, order_.data() + end, static_cast<std::uint32_t>(begin));
  });
}

// A piece of the leaf: of the order, and the same stretch of the scratch array.
struct DocumentPartition::Chunk {
  std::size_t begin, end;
};

DocumentPartition::Chunk DocumentPartition::chunk(const LeafSplit& split, std::size_t c) const {
  const std::size_t begin = split.begin + c * kPartitionChunk;
  return {begin, std::min(split.end, begin + kPartitionChunk)};
}

// A chunk of the scratch array gets its left documents from the front, its right ones from the back
// in reverse.
void DocumentPartition::deal(const LeafSplit& split, const BinnedDataset& data, std::size_t c) {
  const Chunk here = chunk(split, c);
  std::array<BinnedDataset::Bin, kPartitionChunk> bins;
  const auto documents = part(here.begin, here.end);
  data.bins_of(split.column, documents, bins.data());
  std::uint32_t* left = scratch_.data() + here.begin;
  std::uint32_t* right = scratch_.data() + here.end - 1;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::size_t goes_left = split.route.left[bins[i]];
    *left = documents[i];
    *right = documents[i];
    left += goes_left;
    right -= 1 - goes_left;
  }
  lefts_[c + 1] = static_cast<std::size_t>(left - (scratch_.data() + here.begin));
}

// Both sides of a chunk to their places in the order.
void DocumentPartition::collect(const LeafSplit& split, std::size_t c, const ChildWords* gathered) {
  const Chunk here = chunk(split, c);
  const std::size_t lefts = lefts_[c + 1] - lefts_[c];
  const std::size_t rights_before = c * kPartitionChunk - lefts_[c];
  const std::uint32_t* const from = scratch_.data() + here.begin;
  const std::uint32_t* const middle = from + lefts;
  const std::uint32_t* const end = scratch_.data() + here.end;
  std::uint32_t* const left = order_.data() + split.begin + lefts_[c];
  std::uint32_t* const right = order_.data() + split.begin + lefts_.back() + rights_before;
  std::copy(from, middle, left);
  std::reverse_copy(middle, end, right);
  if (!gathered) return;
  const bool is_left = gathered->side == ChildSide::left;
  WordPiece piece{is_left ? lefts_[c] : rights_before, {}, 0};
  const std::span<const std::uint32_t> mine =
      is_left ? std::span(left, lefts) : std::span(right, here.end - here.begin - lefts);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const std::uint64_t word = gathered->words[mine[i]];
    gathered->out.set(piece.begin + i, word);
    piece.add(word);
  }
  gathered->out.set_piece(c, piece);
}

std::size_t DocumentPartition::split(const LeafSplit& split, const BinnedDataset& data,
                                     const ChildWords* gathered, ThreadPool& pool) {
  const std::size_t n = split.end - split.begin;
  const std::size_t chunks = (n + kPartitionChunk - 1) / kPartitionChunk;
  lefts_.assign(chunks + 1, 0);
  run_tasks(pool, chunks, 4 * n, [&](std::size_t c) { deal(split, data, c); });
  std::partial_sum(lefts_.begin(), lefts_.end(), lefts_.begin());
  if (gathered)
    gathered->out.resize(gathered->side == ChildSide::left ? lefts_.back() : n - lefts_.back(),
                         chunks);
  run_tasks(pool, chunks, 4 * n, [&](std::size_t c) { collect(split, c, gathered); });
  return lefts_.back();
}

}  // namespace podium
