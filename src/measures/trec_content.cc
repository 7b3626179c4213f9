#include "measures/trec_content.h"

#include <algorithm>
#include <functional>

namespace podium {

void TrecContent::gather(const Topic& topic, std::vector<TrecDocument>& documents) const {
  documents.clear();
  for (const Stretch& stretch : topic.stretches) {
    const TrecPiece& piece = pieces[stretch.piece];
    const char* const text = piece.block.text.data();
    const char* const end = text + piece.block.text.size();
    for (std::uint32_t i = stretch.begin; i < stretch.end; ++i) {
      const TrecPiece::Line& line = piece.documents[i];
      documents.push_back({{text + line.document, end}, line.hash, line.value});
    }
  }
}

void TrecContent::refuse_changes() const {
  if (stamp && stamp->is_outdated())
    throw Error(ErrorCode::file, "the file was changed while it was in use", {path, 0});
}

std::size_t TrecContent::line_of(const char* place) const {
  std::size_t line = 1;
  for (const TrecPiece& piece : pieces) {
    const char* const begin = piece.block.text.data();
    const char* const end = begin + piece.block.text.size();
    if (!std::less<>()(place, begin) && std::less<>()(place, end))
      return line + static_cast<std::size_t>(std::count(begin, place, '\n'));
    line += piece.lines;
  }
  return 0;
}

}  // namespace podium
