// Rows from blocks of text: see core/parse_blocks.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/text_source.h"
#include "data/formats/row_piece.h"
#include "podium/context.h"

namespace podium {

// Parses one block. A mistake goes into RowPiece::error; nothing is thrown.
using BlockParser = std::function<RowPiece(const TextBlock&)>;

// `lines_before` returns how many lines of the file precede the source's text; called only if a
// line is wrong.
std::vector<RowPiece> read_blocks(TextSource& source, const std::string& file,
                                  const BlockParser& parse,
                                  const std::function<std::size_t()>& lines_before,
                                  Context& context);

}  // namespace podium
