#include "data/formats/write_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace podium {
namespace {

constexpr std::size_t kChunksPerThread = 4;

using ChunkTexts = std::vector<fmt::memory_buffer>;

void write_texts(const ChunkTexts& texts, std::size_t chunks, OutputFile& file) {
  for (std::size_t c = 0; c < chunks; ++c) file.write({texts[c].data(), texts[c].size()});
}

}  // namespace

// One task of each region writes what the region before has formatted, so that threads do not wait
// for the file.
void write_rows(OutputFile& file, std::size_t rows, const RowFormatter& format, ThreadPool& pool,
                std::size_t chunk_rows) {
  ChunkTexts texts(kChunksPerThread * static_cast<std::size_t>(pool.threads())),
      previous(texts.size());
  std::size_t formatted = 0;  // chunks in `previous`
  for (std::size_t first = 0; first < rows; first += texts.size() * chunk_rows) {
    const std::size_t chunks = std::min(texts.size(), (rows - first + chunk_rows - 1) / chunk_rows);
    pool.run(chunks + 1, [&](std::size_t task) {
      if (task == 0) return write_texts(previous, formatted, file);
      const std::size_t begin = first + (task - 1) * chunk_rows;
      texts[task - 1].clear();
      format(begin, std::min(rows, begin + chunk_rows), texts[task - 1]);
    });
    std::swap(texts, previous);
    formatted = chunks;
  }
  write_texts(previous, formatted, file);
}

}  // namespace podium
