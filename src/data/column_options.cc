#include "data/column_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/csv_header.h"
#include "data/data_format.h"
#include "podium/error.h"

namespace podium {
namespace {

bool has_columns(DataFormat format) {
  return format == DataFormat::csv || format == DataFormat::tsv;
}

std::string_view name_of(DataFormat format) {
  return format == DataFormat::podium ? "a .podium file" : "read as LETOR text";
}

}  // namespace

void require_columns_used(const ReadOptions& options, std::initializer_list<std::string> paths) {
  const std::string option = column_option_given(options);
  if (option.empty()) return;
  const std::string* without = nullptr;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    if (has_columns(data_format(path, options.format))) return;
    if (!without) without = &path;
  }
  if (without)
    throw Error(ErrorCode::usage,
                fmt::format("--{} belongs to CSV and TSV, and {} is {}", option, *without,
                            name_of(data_format(*without, options.format))));
}

}  // namespace podium
