// Maps values to bins, in the widest vectors that the machine supports: the same bins on all
// machines.
//
// A value is compared with sixteen pivots at once, and then with the sixteen thresholds between two
// of them: two vector comparisons instead of eight dependent steps of a binary search, and no
// branches. The kernel counts the thresholds that the value does not exceed; for a NaN there are
// none, unlike for any number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "trees/binned_dataset.h"

namespace podium {

struct alignas(64) BinTable {
  static constexpr std::size_t kWidth = 16;

  explicit BinTable(const BinnedFeature& binned);

  std::array<float, kWidth> pivots;                          // the last threshold of each group
  std::array<std::array<float, kWidth>, kWidth + 1> groups;  // by how many pivots are ≥ x
  std::array<std::uint32_t, kWidth + 1> behind;              // the bin after a group's last
  std::uint32_t feature;                                     // index in a dense row
};

// Some columns of consecutive dense rows.
struct RowsToBin {
  const float* values = nullptr;
  std::size_t stride = 0;  // between rows
  std::size_t documents = 0;
};

// Writes columns.size() bins per document, using the tables with these indices.
void find_bins(std::span<const BinTable> tables, std::span<const std::uint32_t> columns,
               const RowsToBin& rows, std::uint8_t* out);

// The bin of values[i] in tables[columns[i]].
void find_bins(std::span<const BinTable> tables, std::span<const std::uint32_t> columns,
               const float* values, std::uint8_t* out);

}  // namespace podium
