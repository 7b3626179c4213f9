// Which part of a text file a rank reads. The file is divided into parts of equal size, one per
// rank, and each boundary moves to the beginning of the next query: a query belongs to the rank
// whose part contains its first row.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/text_source.h"
#include "data/formats/row_piece.h"
#include "podium/communicator.h"

namespace podium {

// The beginning of this rank's part of n consecutive items.
inline std::size_t share_begin(std::size_t n, int rank, int ranks) noexcept {
  const auto r = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
  return n / all * r + n % all * r / all;
}

// Whether the first row has a qid.
bool rows_carry_qids(std::string_view text, const std::function<RowPiece(const TextBlock&)>& parse);

// `text`: all rows of the file, the same on every rank. Collective: all ranks must call it; each
// gets its part.
//
// If rows have qids: `parse` takes one line.
std::string_view share_by_qid(std::string_view text,
                              const std::function<RowPiece(const TextBlock&)>& parse,
                              Communicator& comm);
// If they have none: by the sizes of the groups. `is_row`: whether a line is a row, not a comment.
std::string_view share_by_sizes(std::string_view text, std::span<const std::uint64_t> sizes,
                                const std::function<bool(std::string_view)>& is_row,
                                Communicator& comm);

}  // namespace podium
