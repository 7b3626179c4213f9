// Which part of a text file a rank reads. The file is cut into as many parts of equal size as there
// are ranks, and each cut moves on to where the next query begins: a query belongs to the rank in
// whose part its first row stands.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/text_source.h"
#include "data/formats/row_piece.h"
#include "podium/communicator.h"

namespace podium {

// Where rank's share of n things in a row begins.
inline std::size_t share_begin(std::size_t n, int rank, int ranks) noexcept {
  const auto r = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
  return n / all * r + n % all * r / all;
}

// What the first row says.
bool rows_carry_qids(std::string_view text, const std::function<RowPiece(const TextBlock&)>& parse);

// `text`: all rows of the file, the same on every rank. All ranks must call this; each gets its
// part.
//
// Where rows carry qids: `parse` takes one line.
std::string_view share_by_qid(std::string_view text,
                              const std::function<RowPiece(const TextBlock&)>& parse,
                              Communicator& comm);
// Where they do not: by the sizes of the groups. `is_row`: whether a line is a row and no comment.
std::string_view share_by_sizes(std::string_view text, std::span<const std::uint64_t> sizes,
                                const std::function<bool(std::string_view)>& is_row,
                                Communicator& comm);

}  // namespace podium
