#include "trees/document_partition.h"

#include <algorithm>
#include <numeric>

#include "trees/run_tasks.h"

namespace podium {
namespace {

constexpr std::size_t kPartitionChunk = 4096;

}  // namespace

BinRoute::BinRoute(const BinnedFeature& feature, std::uint32_t last_left, bool missing_left) {
  for (std::uint32_t b = 0; b <= last_left; ++b) left[b] = 1;
  if (feature.has_missing) left[feature.value_bins()] = missing_left;
}

void DocumentPartition::reset(std::size_t documents, const DocumentSample& sample) {
  if (sample) {
    order_.assign(sample->begin(), sample->end());
  } else {
    order_.resize(documents);
    std::iota(order_.begin(), order_.end(), 0U);
  }
  scratch_.resize(order_.size());
}

std::size_t DocumentPartition::split(std::size_t begin, std::size_t end, const BinnedDataset& data,
                                     std::size_t column, const BinRoute& route, ThreadPool& pool) {
  const std::size_t n = end - begin, chunks = (n + kPartitionChunk - 1) / kPartitionChunk;
  std::vector<std::size_t> lefts(chunks + 1);
  const auto chunk_end = [&](std::size_t c) {
    return begin + std::min(n, (c + 1) * kPartitionChunk);
  };
  // Each chunk of the scratch array gets its left documents from the front, its right ones from
  // the back in reverse.
  run_tasks(pool, chunks, 4 * n, [&](std::size_t c) {
    std::array<std::uint8_t, kPartitionChunk> bins;
    const auto documents = part(begin + c * kPartitionChunk, chunk_end(c));
    data.bins_of(column, documents, bins.data());
    std::uint32_t* left = scratch_.data() + begin + c * kPartitionChunk;
    std::uint32_t* right = scratch_.data() + chunk_end(c) - 1;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const std::size_t goes_left = route.left[bins[i]];
      *left = documents[i];
      *right = documents[i];
      left += goes_left;
      right -= 1 - goes_left;
    }
    lefts[c + 1] = static_cast<std::size_t>(left - (scratch_.data() + begin + c * kPartitionChunk));
  });
  std::partial_sum(lefts.begin(), lefts.end(), lefts.begin());
  run_tasks(pool, chunks, n, [&](std::size_t c) {
    const std::size_t first = begin + c * kPartitionChunk, count = lefts[c + 1] - lefts[c];
    const auto from = scratch_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto middle = from + static_cast<std::ptrdiff_t>(count);
    const auto last = scratch_.begin() + static_cast<std::ptrdiff_t>(chunk_end(c));
    const std::size_t rights_before = c * kPartitionChunk - lefts[c];
    std::copy(from, middle, order_.begin() + static_cast<std::ptrdiff_t>(begin + lefts[c]));
    std::reverse_copy(
        middle, last,
        order_.begin() + static_cast<std::ptrdiff_t>(begin + lefts[chunks] + rights_before));
  });
  return lefts[chunks];
}

}  // namespace podium
