// CSV and TSV, mostly with a header line (RFC 4180 quotes; a quoted field ends on its line).
// docs/formats/csv.md says all that is accepted.
#pragma once

#include <optional>
#include <string_view>

#include "core/text_source.h"
#include "data/formats/assemble.h"
#include "data/formats/csv_header.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

// 1 or 0 for a truth value as pandas, R, SQL and JSON write it: True, TRUE, true, False, FALSE,
// false.
std::optional<float> truth_value(std::string_view field);

// From the first line: the names of the columns, or, where there is no header, their number.
// `usual`: the format's separator. What users should know goes to the observer.
CsvHeader read_csv_header(std::string_view line, char usual, const ReadOptions& options,
                          const std::string& file, Observer& observer);
// One block of rows, or one row.
RowPiece parse_csv(const TextBlock& block, const CsvHeader& header, const ReadOptions& options);

// The whole of a file, from the header on. `features`: of columns without another role.
enum class FeatureColumns { as_specified, all_categories };
Dataset read_csv(TextSource& source, char usual, const ReadOptions& options, RowContext around,
                 Context& context, FeatureColumns features = FeatureColumns::as_specified);
// Rows only. All ranks of the context call this together, with texts of their own.
Dataset read_csv_rows(TextSource& source, const CsvHeader& header, const ReadOptions& options,
                      RowContext around, Context& context);

}  // namespace podium
