// Which format a data file has.
#pragma once

#include <string>

namespace podium {

enum class DataFormat { letor, csv, tsv, podium };

// `wanted`: the option data-format; auto goes by the path's ending.
DataFormat data_format(const std::string& path, const std::string& wanted);
inline char separator_of(DataFormat format) noexcept {
  return format == DataFormat::csv ? ',' : '\t';
}

// Throws an Error for a .podium file that would have to be unpacked or streamed.
void require_mappable(const std::string& path);

}  // namespace podium
