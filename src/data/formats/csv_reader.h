// CSV and TSV with a header line (RFC 4180 quotes; a quoted field ends on its line).
// docs/formats/csv.md describes everything that is accepted.
#pragma once

#include "core/text_source.h"
#include "data/formats/assemble.h"
#include "data/formats/csv_header.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

CsvHeader read_csv_header(std::string_view line, char separator, const ReadOptions& options,
                          const std::string& file);
// One block of rows, or one row.
RowPiece parse_csv(const TextBlock& block, const CsvHeader& header, char separator,
                   const ReadOptions& options);

// A whole file, including the header.
Dataset read_csv(TextSource& source, char separator, const ReadOptions& options, RowContext around,
                 Context& context);
// Rows only. Collective: all ranks of the context must call it, each with its own text.
Dataset read_csv_rows(TextSource& source, const CsvHeader& header, char separator,
                      const ReadOptions& options, RowContext around, Context& context);

}  // namespace podium
