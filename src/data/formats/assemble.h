// From the pieces of a text to a Dataset: groups rows into queries, chooses dense or sparse
// storage, and moves the pieces' rows into the final arrays, freeing each piece as it goes. Ranks
// may each have pieces of the text; they decide together (text_over_ranks.h) and keep their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/row_piece.h"
#include "data/formats/side_files.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Where the ranks' rows come from.
enum class Spread { one_file, file_a_rank };

// Which features numbered rows have: all up to the largest number, or, where that is more than
// twice what is there, those that rows mention (stored sparse).
enum class Columns { numbered, mentioned };

// What is not in the rows themselves.
struct RowContext {
  std::string file;
  Spread spread = Spread::one_file;
  float absent = 0;
  std::size_t features = 0;                // at least; 0: as many as the rows name
  std::vector<std::string> feature_names;  // empty: by number, from first_feature
  std::vector<std::uint32_t> categories;   // columns whose values are numbers of categories
  std::vector<std::string> ignored;        // names of columns that were not read
  std::int64_t first_feature = 1;
  Columns columns = Columns::numbered;
  std::size_t header_lines = 0;
  std::string_view text_before;  // what other ranks read between the header and this one's rows
  SideFiles side_files;
  // Of all rows of the file, in their order; used for rows without a qid.
  std::optional<std::vector<std::uint64_t>> query_sizes;
};

// The lines of the file before this rank's rows.
std::size_t count_lines_before(const RowContext& around);

// All ranks of the context call this together.
DatasetParts assemble(std::vector<RowPiece> pieces, RowContext around, Context& context);

}  // namespace podium
