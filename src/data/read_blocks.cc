#include "data/read_blocks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "podium/error.h"

namespace podium {
namespace {

// Blocks to be parsed together, and the mistake that ended them: it is told only after theirs.
struct Wave {
  std::vector<TextBlock> blocks;
  std::optional<Error> error;
};

Wave fetch(TextSource& source, std::size_t count) {
  Wave wave;
  try {
    while (wave.blocks.size() < count) {
      std::optional<TextBlock> block = source.next();
      if (!block) break;
      wave.blocks.push_back(*std::move(block));
    }
  } catch (const Error& error) {
    wave.error = error;
  }
  return wave;
}

}  // namespace

std::vector<RowPiece> read_blocks(TextSource& source, const std::string& file,
                                  const BlockParser& parse,
                                  const std::function<std::size_t()>& lines_before,
                                  Context& context) {
  // Long waves keep all threads busy; blocks of a compressed file are in memory until they are
  // parsed.
  const std::size_t together =
      std::max<std::size_t>(32, 2 * static_cast<std::size_t>(context.pool.threads()));
  std::vector<RowPiece> pieces;
  std::size_t lines = 0;
  Wave wave = fetch(source, together);
  while (!wave.blocks.empty()) {
    const std::size_t first = pieces.size();
    pieces.resize(first + wave.blocks.size());
    Wave following;
    context.pool.run(wave.blocks.size() + 1, [&](std::size_t task) {
      if (task == 0) {
        if (!wave.error) following = fetch(source, together);
      } else {
        pieces[first + task - 1] = parse(wave.blocks[task - 1]);
      }
    });
    for (std::size_t p = first; p < pieces.size(); ++p) {
      const RowPiece& piece = pieces[p];
      if (piece.error)
        throw Error(piece.error->code(), piece.error->message(),
                    {file, lines_before() + lines + piece.error->where().line});
      lines += piece.lines;
    }
    if (wave.error) throw *wave.error;
    wave = std::move(following);
  }
  if (wave.error) throw *wave.error;
  return pieces;
}

}  // namespace podium
