#include "data/data_format.h"

#include <string_view>

#include "core/unpack.h"
#include "podium/error.h"

namespace podium {

DataFormat data_format(const std::string& path, const std::string& wanted) {
  if (wanted == "letor") return DataFormat::letor;
  if (wanted == "csv") return DataFormat::csv;
  if (wanted == "tsv") return DataFormat::tsv;
  if (wanted == "podium") return DataFormat::podium;
  const std::string_view name = without_packing(path);
  if (name.ends_with(".csv")) return DataFormat::csv;
  if (name.ends_with(".tsv")) return DataFormat::tsv;
  if (name.ends_with(".podium")) return DataFormat::podium;
  return DataFormat::letor;
}

void require_mappable(const std::string& path) {
  if (packing_of(path) != Packing::none)
    throw Error(
        ErrorCode::usage,
        "a .podium file is mapped into memory and cannot be compressed: leave the ending away",
        {path});
  if (path == "-")
    throw Error(ErrorCode::usage,
                "a .podium file is mapped into memory: it needs a file of its own");
}

}  // namespace podium
