#include "data/formats/foreign_files.h"

#include <array>

#include <fmt/format.h>

namespace podium {
namespace {

using namespace std::string_view_literals;

struct ForeignKind {
  std::string_view begins, title, advice;  // {}: the file's name
};

constexpr std::size_t kModelHead = 64;  // bytes, in which a model names its format

constexpr std::array kForeignKinds = {
    ForeignKind{
        "PAR1"sv, "Parquet",
        "convert it by podium prepare, ‹via python›, write it as CSV (pandas: "
        "read_parquet(\"{}\").to_csv(\"data.csv\", index=False)), or read it in Python with "
        "podium.Dataset.read"},
    ForeignKind{"ARROW1"sv, "an Arrow or Feather file",
                "convert it by podium prepare, ‹via python›, or write it as CSV (pandas: "
                "read_feather(\"{}\").to_csv(\"data.csv\", index=False))"},
    ForeignKind{"ORC"sv, "ORC", "write it as CSV (pandas: read_orc(\"{}\"))"},
    ForeignKind{"Obj\x01"sv, "Avro", "write it as CSV"},
    ForeignKind{"\x89HDF\r\n"sv, "HDF5", "write it as CSV (pandas: read_hdf(\"{}\"))"},
    ForeignKind{"\x93NUMPY"sv, "a NumPy array",
                "train in Python, which takes arrays, or write it as CSV"},
    ForeignKind{"\x80\x04\x95"sv, "a Python pickle",
                "train in Python, or write the table as CSV (to_csv)"},
    ForeignKind{"\x80\x05\x95"sv, "a Python pickle",
                "train in Python, or write the table as CSV (to_csv)"},
    ForeignKind{"SQLite format 3"sv, "an SQLite database",
                "write a table as CSV (sqlite3 -header -csv {} \"select …\" > data.csv)"},
    ForeignKind{"PK\x03\x04"sv, "a zip archive (spreadsheets are, too)",
                "unpack it, or save the sheet as CSV"},
    ForeignKind{"\x1f\x8b"sv, "compressed by gzip", "its name must end in .gz"},
    ForeignKind{"\x28\xb5\x2f\xfd"sv, "compressed by zstd", "its name must end in .zst"},
    ForeignKind{"\xfd"
                "7zXZ"sv,
                "compressed by xz", "its name must end in .xz"},
    ForeignKind{"BZh"sv, "compressed by bzip2", "its name must end in .bz2"},
    ForeignKind{"7z\xbc\xaf"sv, "a 7z archive", "unpack it"},
    ForeignKind{"\xff\xfe"sv, "UTF-16 text", "iconv -f UTF-16 -t UTF-8 {} > data.csv"},
    ForeignKind{"\xfe\xff"sv, "UTF-16 text", "iconv -f UTF-16 -t UTF-8 {} > data.csv"},
    ForeignKind{"{"sv, "JSON", "write it as CSV (pandas: read_json(\"{}\", lines=True))"},
    ForeignKind{"["sv, "JSON", "write it as CSV (pandas: read_json(\"{}\"))"},
    ForeignKind{"<"sv, "HTML or XML", "was the download answered by a page?"},
};

}  // namespace

std::string foreign_file(std::string_view first_bytes, const std::string& path) {
  if (first_bytes.starts_with('{') && first_bytes.find("\"podium-model\"") < kModelHead)
    return "this is a model: give a file with documents";
  for (const ForeignKind& kind : kForeignKinds)
    if (first_bytes.starts_with(kind.begins))
      return fmt::format("this is {}: {}", kind.title,
                         fmt::format(fmt::runtime(kind.advice), path));
  return {};
}

}  // namespace podium
