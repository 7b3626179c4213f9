// A block of a click log, parsed: rows with numbers for ids that are local to the block.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "clicks/id_table.h"
#include "clicks/log_line.h"
#include "core/text_source.h"
#include "podium/error.h"

namespace podium {

struct LogPiece {
  struct Row {
    std::uint32_t document = 0;  // in `documents`
    std::uint32_t session = 0;   // in `sessions`
    std::uint32_t line = 0;      // within the block, from 1
    std::uint16_t position = 0;
    bool click = false;
    char owner = 0;  // as in LogLine
  };
  struct Values {
    double propensity = 1, weight = 1, time = 0;
  };

  TextBlock block;  // owns the bytes of all ids
  std::vector<Row> rows;
  std::vector<Values> values;              // one per row, or none
  std::vector<std::string_view> sessions;  // neighbours differ
  IdTable<std::string_view> qids;          // of scope 0
  IdTable<std::string_view> documents;     // of scope: the number of the qid
  std::size_t lines = 0;
  std::optional<Error> error;  // the first mistake, with its line within the block
};

LogPiece parse_log_block(TextBlock block, const LogHeader& header, std::size_t max_line_bytes);

}  // namespace podium
