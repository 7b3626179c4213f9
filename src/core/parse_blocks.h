// Drives a text reader: fetches blocks, parses them in parallel, and turns the first mistake, in
// the order of the text, into an Error with its line.
#pragma once

#include <atomic>
#include <cstddef>
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

// Streams are read by waves of this many blocks: long ones keep all threads busy, but blocks stay
// in memory until they are parsed. Mapped text is one wave.
std::size_t wave_length(const TextSource& source, const ThreadPool& pool);

// parse(TextBlock) returns a Piece: the number of `lines`, and the first `error`, with its line
// counted within the piece; it must not throw. `lines_before` returns how many lines of the file
// precede the source's text; called only if a line is wrong.
template <class Piece, class Parse, class LinesBefore>
std::vector<Piece> parse_blocks(TextSource& source, const std::string& file, const Parse& parse,
                                const LinesBefore& lines_before, ThreadPool& pool) {
  const std::size_t length = wave_length(source, pool);
  std::vector<Piece> pieces;
  std::size_t lines = 0;
  BlockWave wave = fetch_wave(source, length);
  while (!wave.blocks.empty()) {
    const std::size_t first = pieces.size();
    pieces.resize(first + wave.blocks.size());
    BlockWave following;
    std::atomic<std::size_t> wrong = wave.blocks.size();  // the first block with an error so far
    pool.run(wave.blocks.size() + 1, [&](std::size_t task) {
      if (task == 0) {
        if (!wave.error) following = fetch_wave(source, length);
        return;
      }
      const std::size_t b = task - 1;
      TextBlock block = std::move(wave.blocks[b]);  // freed after parsing
      if (b > wrong) return;                        // an error before it will be reported
      Piece& piece = pieces[first + b];
      piece = parse(std::move(block));
      if (!piece.error) return;
      for (std::size_t known = wrong; b < known && !wrong.compare_exchange_weak(known, b);) {
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
