#include "trees/histogram_ranks.h"

#include <vector>

namespace podium {
namespace {

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

template <int kWords>
void add_in_words(Histogram histogram, std::span<const std::uint32_t> columns,
                  const BinnedDataset& data, Communicator& comm) {
  std::vector<std::int64_t> words;
  std::size_t bins = 0;
  for (const std::uint32_t c : columns) bins += data.columns()[c].bins();
  words.resize(bins * kWords);
  const auto each_bin = [&](auto&& use) {
    std::int64_t* at = words.data();
    for (const std::uint32_t c : columns) {
      const BinnedFeature& feature = data.columns()[c];
      for (DerivativeSums& sums : histogram.subspan(feature.first_bin, feature.bins())) {
        use(sums, at);
        at += kWords;
      }
    }
  };
  each_bin([](DerivativeSums& sums, std::int64_t* at) { write<kWords>(sums, at); });
  comm.all_reduce_sum(std::span(words));
  each_bin([](DerivativeSums& sums, std::int64_t* at) { sums = read<kWords>(at); });
}

}  // namespace

void add_ranks(Histogram histogram, std::span<const std::uint32_t> columns,
               const BinnedDataset& data, std::int64_t documents, Communicator& comm) {
  if (documents < std::int64_t{1} << kCountBits<1>)
    add_in_words<1>(histogram, columns, data, comm);
  else if (documents < std::int64_t{1} << kCountBits<2>)
    add_in_words<2>(histogram, columns, data, comm);
  else
    add_in_words<3>(histogram, columns, data, comm);
}

DerivativeSums total_of(const BinnedFeature& feature, ConstHistogram histogram) {
  DerivativeSums total;
  for (const DerivativeSums& sums : histogram.subspan(feature.first_bin, feature.bins()))
    total += sums;
  return total;
}

}  // namespace podium
