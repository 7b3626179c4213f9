#include "data/formats/read_blocks.h"

#include "core/parse_blocks.h"

namespace podium {

std::vector<RowPiece> read_blocks(TextSource& source, const std::string& file,
                                  const BlockParser& parse,
                                  const std::function<std::size_t()>& lines_before,
                                  Context& context) {
  return parse_blocks<RowPiece>(source, file, parse, lines_before, context.pool);
}

}  // namespace podium
