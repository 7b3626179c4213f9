// The block's width is known at compile time, so that columns are unrolled; rows are read eight
// bytes at a time. Documents of a small leaf are far apart, so rows are prefetched.
#include "trees/histogram_kernels.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "trees/binned_dataset.h"

namespace podium {
namespace {

constexpr std::size_t kStride = BinnedDataset::kBinStride;
constexpr std::size_t kAhead = 24;

template <std::size_t Width>
inline void add_row(const std::uint8_t* row, std::uint64_t word, std::uint64_t* table) {
  constexpr std::size_t kWhole = std::endian::native == std::endian::little ? Width / 8 : 0;
#pragma GCC unroll 2
  for (std::size_t part = 0; part < kWhole; ++part) {
    std::uint64_t eight;
    std::memcpy(&eight, row + 8 * part, 8);
#pragma GCC unroll 8
    for (std::size_t c = 0; c < 8; ++c) {
      table[(8 * part + c) * kStride + (eight & 0xFF)] += word;
      eight >>= 8;
    }
  }
#pragma GCC unroll 16
  for (std::size_t c = 8 * kWhole; c < Width; ++c) table[c * kStride + row[c]] += word;
}

template <std::size_t Width>
void add_all(const BlockRows& rows, std::uint64_t* table) {
  if (!rows.documents) {
    for (std::size_t i = 0; i < rows.count; ++i)
      add_row<Width>(rows.bins + i * Width, rows.words[i], table);
    return;
  }
  const std::size_t near_end = rows.count > kAhead ? rows.count - kAhead : 0;
  for (std::size_t i = 0; i < near_end; ++i) {
    __builtin_prefetch(rows.bins + rows.documents[i + kAhead] * Width);
    add_row<Width>(rows.bins + rows.documents[i] * Width, rows.words[i], table);
  }
  for (std::size_t i = near_end; i < rows.count; ++i)
    add_row<Width>(rows.bins + rows.documents[i] * Width, rows.words[i], table);
}

using Kernel = void (*)(const BlockRows&, std::uint64_t*);

template <std::size_t... Width>
constexpr std::array<Kernel, sizeof...(Width)> kernels(std::index_sequence<Width...> /*widths*/) {
  return {add_all<Width + 1>...};
}
constexpr auto kKernels = kernels(std::make_index_sequence<BinnedDataset::kBlockWidth>());

}  // namespace

void add_rows(const BlockRows& rows, std::uint64_t* table) {
  kKernels[rows.width - 1](rows, table);
}

void add_columns(const BlockRows& rows, std::span<const std::uint32_t> columns,
                 std::uint64_t* table) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::size_t document = rows.documents ? rows.documents[i] : i;
    if (rows.documents && i + kAhead < rows.count)
      __builtin_prefetch(rows.bins + rows.documents[i + kAhead] * rows.width);
    const std::uint8_t* row = rows.bins + document * rows.width;
    for (const std::uint32_t c : columns) table[c * kStride + row[c]] += rows.words[i];
  }
}

}  // namespace podium
