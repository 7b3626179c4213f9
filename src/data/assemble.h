// From the pieces of a text to a Dataset: groups rows into queries, chooses dense or sparse
// storage, and moves the pieces' rows into the final arrays, freeing each piece as it goes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/row_piece.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// What is not in the rows themselves.
struct Surroundings {
  std::string file;
  float absent = 0;
  std::size_t features = 0;                // at least; 0: as many as the rows name
  std::vector<std::string> feature_names;  // empty: by number, from first_feature
  std::int64_t first_feature = 1;
  std::size_t lines_before = 0;  // header lines of the file

  // Side files, in the order of the rows. Sizes are used for rows without a qid.
  std::optional<std::vector<std::uint64_t>> query_sizes;
  std::vector<float> weights;  // one a document or one a query
  std::vector<std::int32_t> positions;
  std::string sizes_file, weights_file, positions_file;
};

DatasetParts assemble(std::vector<RowPiece> pieces, Surroundings around, Context& context);

}  // namespace podium
