// Builds a Dataset from the pieces of a text: groups rows into queries, chooses dense or sparse
// storage, and moves the pieces' rows into the final arrays, freeing each piece as it goes. If
// ranks have pieces of the text, they take decisions collectively (text_over_ranks.h) and keep
// their own rows.
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

// Which features numbered rows have: all up to the largest number, or, if that is more than twice
// the number of features that occur, only those (stored sparse).
enum class Columns { numbered, mentioned };

// Information that is not in the rows themselves.
struct RowContext {
  std::string file;
  Spread spread = Spread::one_file;
  float absent = 0;
  std::size_t features = 0;                // minimum; 0: as many as the rows mention
  std::vector<std::string> feature_names;  // empty: by number, from first_feature
  std::vector<std::uint32_t> categories;   // columns whose values are numbers of categories
  std::vector<std::string> ignored;        // names of columns that were not read
  std::string query_weight;                // the column of RowPiece::query_weights, or ""
  std::int64_t first_feature = 1;
  Columns columns = Columns::numbered;
  std::size_t header_lines = 0;
  std::string_view text_before;  // rows before this rank's, read by other ranks
  SideFiles side_files;
  // Of all rows of the file, in their order; used for rows without a qid.
  std::optional<std::vector<std::uint64_t>> query_sizes;
};

// The lines of the file before this rank's rows.
std::size_t count_lines_before(const RowContext& around);

// Collective: all ranks of the context must call it.
DatasetParts assemble(std::vector<RowPiece> pieces, RowContext around, Context& context);

}  // namespace podium
