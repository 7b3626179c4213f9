// Drives a text reader: fetches blocks, parses them in parallel, and turns the first mistake, in
// the order of the text, into an Error with its line.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text_source.h"
#include "podium/error.h"
#include "podium/thread_pool.h"

namespace podium {

// Blocks to parse in parallel, and the error that ended fetching: errors inside the blocks are
// reported first.
struct BlockWave {
  std::vector<TextBlock> blocks;
  std::optional<Error> error;
};
BlockWave fetch_wave(TextSource& source, std::size_t count);

// parse(TextBlock) returns a Piece: the number of `lines`, and the first `error`, with its line
// counted within the piece; it must not throw. `lines_before` returns how many lines of the file
// precede the source's text; called only if a line is wrong.
template <class Piece, class Parse, class LinesBefore>
std::vector<Piece> parse_blocks(TextSource& source, const std::string& file, const Parse& parse,
                                const LinesBefore& lines_before, ThreadPool& pool) {
  // Long waves keep all threads busy; blocks of a compressed file stay in memory until they are
  // parsed.
  const std::size_t together =
      std::max<std::size_t>(32, 2 * static_cast<std::size_t>(pool.threads()));
  std::vector<Piece> pieces;
  std::size_t lines = 0;
  BlockWave wave = fetch_wave(source, together);
  while (!wave.blocks.empty()) {
    const std::size_t first = pieces.size();
    pieces.resize(first + wave.blocks.size());
    BlockWave following;
    pool.run(wave.blocks.size() + 1, [&](std::size_t task) {
      if (task == 0) {
        if (!wave.error) following = fetch_wave(source, together);
      } else {
        TextBlock block = std::move(wave.blocks[task - 1]);  // freed after parsing
        pieces[first + task - 1] = parse(std::move(block));
      }
    });
    for (std::size_t p = first; p < pieces.size(); ++p) {
      const Piece& piece = pieces[p];
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
