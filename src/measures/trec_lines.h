// Parses the lines of qrels and runs.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

#include "measures/trec_content.h"

namespace podium {

struct TrecFormat {
  std::string_view kind;
  std::string_view columns;
  std::size_t column_count;
  std::size_t value_column;
  std::string_view value_name;
  double largest;  // absolute value
};
inline constexpr TrecFormat kQrelsFormat = {.kind = "judgements",
                                            .columns = "topic iteration document grade",
                                            .column_count = 4,
                                            .value_column = 3,
                                            .value_name = "grade",
                                            .largest = std::numeric_limits<float>::max()};
inline constexpr TrecFormat kRunFormat = {.kind = "run",
                                          .columns = "topic Q0 document rank score run-id",
                                          .column_count = 6,
                                          .value_column = 4,
                                          .value_name = "score",
                                          .largest = std::numeric_limits<double>::max()};

// A mistake goes into TrecPiece::error; nothing is thrown.
TrecPiece parse_trec_block(TextBlock block, const TrecFormat& format);

}  // namespace podium
