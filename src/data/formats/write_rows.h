// Formats rows in parallel and writes them in order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "core/output_file.h"
#include "podium/thread_pool.h"

namespace podium {

// Appends the text of rows [begin, end).
using RowFormatter =
    std::function<void(std::size_t begin, std::size_t end, fmt::memory_buffer& out)>;

// Errors of `format` come before those of later writes; what precedes them may have been written.
void write_rows(OutputFile& file, std::size_t rows, const RowFormatter& format, ThreadPool& pool,
                std::size_t chunk_rows = 256);

inline void append(fmt::memory_buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

}  // namespace podium
