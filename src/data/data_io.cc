#include "podium/data_io.h"

#include <string_view>

#include "core/text_source.h"
#include "core/unpack.h"
#include "data/binary_cache.h"
#include "data/csv_reader.h"
#include "data/csv_writer.h"
#include "data/letor_reader.h"
#include "data/letor_writer.h"
#include "data/side_files.h"
#include "podium/error.h"

namespace podium {
namespace {

enum class Format { letor, csv, tsv, podium };

Format format_of(const std::string& path, const std::string& wanted) {
  if (wanted == "letor") return Format::letor;
  if (wanted == "csv") return Format::csv;
  if (wanted == "tsv") return Format::tsv;
  if (wanted == "podium") return Format::podium;
  const std::string_view name = without_packing(path);
  if (name.ends_with(".csv")) return Format::csv;
  if (name.ends_with(".tsv")) return Format::tsv;
  if (name.ends_with(".podium")) return Format::podium;
  return Format::letor;
}

void require_plain(const std::string& path) {
  if (packing_of(path) != Packing::none)
    throw Error(
        ErrorCode::usage,
        "a .podium file is mapped into memory and cannot be compressed: leave the ending away",
        {path});
  if (path == "-")
    throw Error(ErrorCode::usage,
                "a .podium file is mapped into memory: it needs a file of its own");
}

}  // namespace

const OptionTable<ReadOptions>& read_option_table() {
  static const auto table =
      OptionTable<ReadOptions>()
          .add("data-format", &ReadOptions::format,
               "format of the data; auto goes by the file's ending",
               {"auto", "letor", "csv", "tsv", "podium"})
          .add("absent", &ReadOptions::absent, "what a feature not named in a row is (LETOR text)",
               {"zero", "missing"})
          .add("label-column", &ReadOptions::label_column,
               "CSV column with the label (default: label, grade or relevance)")
          .add("qid-column", &ReadOptions::qid_column,
               "CSV column with the query's id (default: qid or query)")
          .add("docid-column", &ReadOptions::docid_column,
               "CSV column with the document's id (default: docid)")
          .add("weight-column", &ReadOptions::weight_column,
               "CSV column with the document's weight (default: weight)")
          .add("position-column", &ReadOptions::position_column,
               "CSV column with the display position (default: position)")
          .add("host-column", &ReadOptions::host_column,
               "CSV column with the document's host (default: host)")
          .add("first-feature", &ReadOptions::first_feature,
               "lowest feature id of LETOR text; 0 for files that count from 0", between(0, 1))
          .add("max-line-bytes", &ReadOptions::max_line_bytes, "longest line accepted", at_least(1))
          .add("max-features", &ReadOptions::max_features, "most features accepted",
               between(1, 4294967295.0))
          .add("max-unpacked-bytes", &ReadOptions::max_unpacked_bytes,
               "most bytes a compressed file may unpack to; 0: half of the memory", at_least(0));
  return table;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options, Context& context) {
  context.observer.phase("reading " + path);
  const Format format = format_of(path, options.format);
  if (format == Format::podium) {
    require_plain(path);
    return read_binary_cache(path);
  }
  const auto source = open_text(path, {options.max_line_bytes, options.max_unpacked_bytes});
  Surroundings around;
  around.file = path;
  if (format == Format::letor) {
    read_side_files(path, around, context);
    return read_letor(*source, options, std::move(around), context);
  }
  const char separator = format == Format::csv ? ',' : '\t';
  return read_csv(*source, separator, options, std::move(around), context);
}

void write_dataset(const Dataset& data, const std::string& path, Context& context) {
  context.observer.phase("writing " + path);
  switch (format_of(path, "auto")) {
    case Format::letor:
      return write_letor(data, path, context);
    case Format::csv:
      return write_csv(data, ',', path, context);
    case Format::tsv:
      return write_csv(data, '\t', path, context);
    case Format::podium:
      require_plain(path);
      return write_binary_cache(data, path);
  }
}

}  // namespace podium
