#include "data/formats/column_options.h"

#include <vector>

#include <fmt/format.h>

#include "data/formats/csv_header.h"
#include "data/formats/data_format.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

// "CSV and TSV"
std::string formats_with_columns() {
  std::vector<std::string_view> titles;
  for (const DataFormat* format : data_formats())
    if (format->columns == DataFormat::Columns::named) titles.push_back(format->title);
  return fmt::format("{}", fmt::join(titles, " and "));
}

}  // namespace

void require_columns_used(const ReadOptions& options, std::initializer_list<std::string> paths) {
  const std::string given = column_option_given(options);
  if (given.empty()) return;
  const std::string* without = nullptr;
  const DataFormat* its_format = nullptr;
  for (const std::string& path : paths) {
    const DataFormat* format = path.empty() ? nullptr : find_format(path, options.format);
    if (!format) continue;  // no file, or one that the reader will refuse
    if (format->columns == DataFormat::Columns::named) return;
    if (without) continue;
    without = &path;
    its_format = format;
  }
  if (without)
    throw Error(ErrorCode::usage,
                fmt::format("{} applies to {}, but {} is read as {}", option(given),
                            formats_with_columns(), *without, its_format->title));
}

}  // namespace podium
