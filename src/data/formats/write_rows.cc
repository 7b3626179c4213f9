#include "data/formats/write_rows.h"

#include <algorithm>
#include <vector>

namespace podium {

void write_rows(OutputFile& file, std::size_t rows, const RowFormatter& format, ThreadPool& pool) {
  constexpr std::size_t kRowsTogether = 256;
  std::vector<fmt::memory_buffer> texts(4 * static_cast<std::size_t>(pool.threads()));
  for (std::size_t first = 0; first < rows; first += texts.size() * kRowsTogether) {
    const std::size_t chunks =
        std::min(texts.size(), (rows - first + kRowsTogether - 1) / kRowsTogether);
    pool.run(chunks, [&](std::size_t c) {
      const std::size_t begin = first + c * kRowsTogether;
      texts[c].clear();
      format(begin, std::min(rows, begin + kRowsTogether), texts[c]);
    });
    for (std::size_t c = 0; c < chunks; ++c) file.write({texts[c].data(), texts[c].size()});
  }
}

}  // namespace podium
