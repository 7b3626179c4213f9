// Which rows form a query, and where they go. Rows of one qid that are not contiguous are moved to
// the first of them; otherwise the order is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/row_piece.h"

namespace podium {

struct Grouping {
  std::vector<std::string> qids;
  std::vector<std::uint64_t> query_begin;  // queries + 1
  // The first document of each run of each piece; a run's documents are contiguous.
  std::vector<std::vector<std::uint64_t>> run_begin;
  std::string note;  // lists rows that were moved to their query; empty: none

  bool regrouped() const noexcept { return !note.empty(); }
};

// `first_row`: the row number in the file, for the note.
Grouping group_by_qid(const std::vector<RowPiece>& pieces, std::size_t first_row);
// Rows without qids: consecutive groups of these sizes, with qids "1", "2", … from first_qid on.
// The sizes' sum must be the number of rows.
Grouping group_by_sizes(const std::vector<RowPiece>& pieces,
                        const std::vector<std::uint64_t>& sizes, std::size_t first_qid);

}  // namespace podium
