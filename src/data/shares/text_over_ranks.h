// The texts that ranks have read, treated as one text: in rank order, each with its own rows.
// Properties of the whole text (its width, dense or sparse storage, whether rows have a qid) are
// decided here, the same on every rank and as if one process had read everything.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/formats/assemble.h"
#include "data/formats/row_piece.h"
#include "podium/communicator.h"

namespace podium {

class TextOverRanks {
 public:
  // Throws the same Error on every rank if the texts are incompatible.
  TextOverRanks(const std::vector<RowPiece>& mine, const RowContext& around, Communicator& comm);

  std::size_t documents() const noexcept { return documents_; }
  std::size_t documents_before() const noexcept { return documents_before_; }  // on lower ranks
  std::size_t features() const noexcept { return features_; }
  // How many values differ from the absent one.
  std::size_t stored() const noexcept { return stored_; }
  bool rows_carry_qids() const noexcept { return rows_carry_qids_; }

 private:
  std::size_t documents_ = 0, documents_before_ = 0, features_ = 0, stored_ = 0;
  bool rows_carry_qids_ = false;
};

}  // namespace podium
