#include "trees/histogram_ranks.h"

#include <array>
#include <vector>

namespace podium {
namespace {

// In one exchange, if it has several leaves: more would save little time, and need memory.
constexpr std::size_t kMostWords = 1 << 18;

// Bits of a field that counts documents, in a leaf small enough for this many words per bin.
template <int kWords>
constexpr int kCountBits = kWords == 1 ? 14 : 26;
// Bits of a sum of second derivatives in one word.
constexpr int kSecondBits = 24;
static_assert(kMostSecond << kCountBits<1> < std::int64_t{1} << kSecondBits);
static_assert(kMostFirst << kCountBits<1> < std::int64_t{1} << (63 - kSecondBits - kCountBits<1>));
static_assert(kMostSecond << kCountBits<2> < std::int64_t{1} << (63 - kCountBits<2>));

// Only the highest field may be negative.
template <int kWords>
void write(const DerivativeSums& sums, std::int64_t* out) {
  if constexpr (kWords == 3) {
    out[0] = sums.first;
    out[1] = sums.second;
    out[2] = sums.documents;
  } else {
    constexpr std::int64_t kSecond = std::int64_t{1} << kCountBits<kWords>;
    out[kWords - 1] = sums.second * kSecond + sums.documents;
    if constexpr (kWords == 1)
      out[0] += sums.first * (std::int64_t{1} << (kCountBits<1> + kSecondBits));
    else
      out[0] = sums.first;
  }
}

template <int kWords>
DerivativeSums read(const std::int64_t* in) {
  if constexpr (kWords == 3) return {in[0], in[1], in[2]};
  constexpr int kCount = kCountBits<kWords>;
  const std::int64_t documents = in[kWords - 1] & ((std::int64_t{1} << kCount) - 1);
  const std::int64_t rest = in[kWords - 1] >> kCount;
  if constexpr (kWords == 2) return {in[0], rest, documents};
  return {rest >> kSecondBits, rest & ((std::int64_t{1} << kSecondBits) - 1), documents};
}

int words_per_bin(std::int64_t documents) {
  if (documents < std::int64_t{1} << kCountBits<1>) return 1;
  return documents < std::int64_t{1} << kCountBits<2> ? 2 : 3;
}

// use(sums, words) for every bin of the columns; returns the end of the words.
template <int kWords, class Use>
std::int64_t* each_bin(Histogram histogram, std::span<const std::uint32_t> columns,
                       const BinnedDataset& data, std::int64_t* at, Use&& use) {
  for (const std::uint32_t c : columns) {
    const BinnedFeature& feature = data.columns()[c];
    for (DerivativeSums& sums : histogram.subspan(feature.first_bin, feature.bins())) {
      use(sums, at);
      at += kWords;
    }
  }
  return at;
}

template <int kWords>
std::int64_t* write_all(Histogram histogram, std::span<const std::uint32_t> columns,
                        const BinnedDataset& data, std::int64_t* at) {
  return each_bin<kWords>(
      histogram, columns, data, at,
      [](const DerivativeSums& sums, std::int64_t* to) { write<kWords>(sums, to); });
}

template <int kWords>
std::int64_t* read_all(Histogram histogram, std::span<const std::uint32_t> columns,
                       const BinnedDataset& data, std::int64_t* at) {
  return each_bin<kWords>(
      histogram, columns, data, at,
      [](DerivativeSums& sums, const std::int64_t* from) { sums = read<kWords>(from); });
}

constexpr auto kWriters = std::array{write_all<1>, write_all<2>, write_all<3>};
constexpr auto kReaders = std::array{read_all<1>, read_all<2>, read_all<3>};

void exchange(std::span<const LeafHistogram> leaves, std::size_t words,
              std::span<const std::uint32_t> columns, const BinnedDataset& data,
              Communicator& comm) {
  std::vector<std::int64_t> sent(words);
  const auto each_leaf = [&](const auto& tools) {
    std::int64_t* at = sent.data();
    for (const LeafHistogram& leaf : leaves)
      at = tools[static_cast<std::size_t>(words_per_bin(leaf.documents) - 1)](leaf.bins, columns,
                                                                              data, at);
  };
  each_leaf(kWriters);
  comm.all_reduce_sum(std::span(sent));
  each_leaf(kReaders);
}

}  // namespace

void add_ranks(std::span<const LeafHistogram> leaves, std::span<const std::uint32_t> columns,
               const BinnedDataset& data, Communicator& comm) {
  std::size_t bins = 0;
  for (const std::uint32_t c : columns) bins += data.columns()[c].bins();
  const auto words_of = [bins](const LeafHistogram& leaf) {
    return bins * static_cast<std::size_t>(words_per_bin(leaf.documents));
  };
  while (!leaves.empty()) {
    std::size_t count = 1, words = words_of(leaves[0]);
    while (count < leaves.size() && words + words_of(leaves[count]) <= kMostWords)
      words += words_of(leaves[count++]);
    exchange(leaves.first(count), words, columns, data, comm);
    leaves = leaves.subspan(count);
  }
}

DerivativeSums total_of(const BinnedFeature& feature, ConstHistogram histogram) {
  DerivativeSums total;
  for (const DerivativeSums& sums : histogram.subspan(feature.first_bin, feature.bins()))
    total += sums;
  return total;
}

}  // namespace podium
