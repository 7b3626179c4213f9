// The innermost loops: add each document's word to its bins in a block of features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace podium {

struct BlockRows {
  const std::uint8_t* bins = nullptr;        // [document][width]
  std::size_t width = 0;                     // ≤ 16
  const std::uint32_t* documents = nullptr;  // null: consecutive documents
  const std::uint64_t* words = nullptr;      // in the documents' order
  std::size_t count = 0;
};

// Adds to table[c · 256 + bin] for every column c of the block.
void add_rows(const BlockRows& rows, std::uint64_t* table);
// For some of the columns.
void add_columns(const BlockRows& rows, std::span<const std::uint32_t> columns,
                 std::uint64_t* table);

}  // namespace podium
