// Compiled once for each instruction set that Highway supports; chosen at run time.
#include "trees/bin_kernels.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trees/bin_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, BinTable::kWidth>;
constexpr Floats kFloats;
constexpr std::size_t kAhead = 8;  // rows

// How many of sixteen thresholds the value does not exceed.
HWY_INLINE std::size_t not_below(hn::Vec<Floats> x, const float* thresholds) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < BinTable::kWidth; i += hn::Lanes(kFloats))
    count += hn::CountTrue(kFloats, hn::Le(x, hn::Load(kFloats, thresholds + i)));
  return count;
}

HWY_INLINE std::uint8_t find(const BinTable& table, float value) {
  const auto x = hn::Set(kFloats, value);
  const std::size_t group = not_below(x, table.pivots.data());
  return static_cast<std::uint8_t>(table.behind[group] - not_below(x, table.groups[group].data()));
}

void bin_rows_kernel(const BinTable* tables, std::span<const std::uint32_t> columns,
                     const RowsToBin& rows, std::uint8_t* out) {
  const float* row = rows.values;
  for (std::size_t d = 0; d < rows.documents; ++d, row += rows.stride) {
    const float* const later = d + kAhead < rows.documents ? row + kAhead * rows.stride : row;
    __builtin_prefetch(later + tables[columns.front()].feature);
    __builtin_prefetch(later + tables[columns.back()].feature);
    for (const std::uint32_t c : columns) *out++ = find(tables[c], row[tables[c].feature]);
  }
}

void bin_values_kernel(const BinTable* tables, std::span<const std::uint32_t> columns,
                       const float* values, std::uint8_t* out) {
  for (std::size_t i = 0; i < columns.size(); ++i) out[i] = find(tables[columns[i]], values[i]);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(bin_rows_kernel);
HWY_EXPORT(bin_values_kernel);
}  // namespace

BinTable::BinTable(const BinnedFeature& binned) : feature(binned.feature) {
  std::array<float, kWidth * kWidth> thresholds;
  thresholds.fill(std::numeric_limits<float>::infinity());
  std::copy(binned.thresholds.begin(), binned.thresholds.end(), thresholds.begin());
  for (std::size_t g = 0; g < kWidth; ++g) {
    const auto* first = thresholds.data() + g * kWidth;
    pivots[g] = first[kWidth - 1];
    std::copy_n(first, kWidth, groups[kWidth - g].begin());
    behind[kWidth - g] = static_cast<std::uint32_t>((g + 1) * kWidth);
  }
  groups[0].fill(std::numeric_limits<float>::infinity());
  behind[0] = binned.value_bins();  // of missing values
}

void find_bins(std::span<const BinTable> tables, std::span<const std::uint32_t> columns,
               const RowsToBin& rows, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(bin_rows_kernel)(tables.data(), columns, rows, out);
}

void find_bins(std::span<const BinTable> tables, std::span<const std::uint32_t> columns,
               const float* values, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(bin_values_kernel)(tables.data(), columns, values, out);
}

}  // namespace podium
#endif
