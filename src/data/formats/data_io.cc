#include "podium/data_io.h"

#include "data/formats/data_format.h"
#include "data/shares/read_files.h"

namespace podium {
namespace {

std::vector<std::string> format_choices() {
  std::vector<std::string> names = {"auto"};
  for (const DataFormat* format : data_formats()) names.emplace_back(format->name);
  return names;
}

}  // namespace

const OptionTable<ReadOptions>& read_option_table() {
  static const auto table =
      OptionTable<ReadOptions>()
          .add("data-format", &ReadOptions::format,
               "data format; auto uses the file's suffix, or its first bytes if the suffix is "
               "unknown",
               format_choices())
          .add("absent", &ReadOptions::absent,
               "value of features that a row does not list (LETOR text)",
               {{"zero", AbsentFeatures::zero}, {"missing", AbsentFeatures::missing}})
          .add("label-column", &ReadOptions::label_column,
               "CSV column with the label (default: label, grade or relevance)")
          .add("label", &ReadOptions::label,
               "the label as an expression of CSV columns, which are then no features: "
               "\"click*0.2+purchase\" (+ - * / min max, parentheses, numbers)")
          .add("qid-column", &ReadOptions::qid_column,
               "CSV column with the query's id (default: qid or query)")
          .add("docid-column", &ReadOptions::docid_column,
               "CSV column with the document's id (default: docid)")
          .add("weight-column", &ReadOptions::weight_column,
               "CSV column with the document's weight (default: weight)")
          .add("query-weight", &ReadOptions::query_weight_column,
               "CSV column with the weight of the row's query (default: none)")
          .add("position-column", &ReadOptions::position_column,
               "CSV column with the display position (default: position)")
          .add("host-column", &ReadOptions::host_column,
               "CSV column with the document's host (default: host)")
          .add("no-header", &ReadOptions::no_header,
               "CSV without a line of names: columns are named 1, 2, …; the label is in the first "
               "and the query in the second unless ‹label-column› and ‹qid-column› say otherwise")
          .add("separator", &ReadOptions::separator,
               "CSV separator: one character, or tab (default: found in the first line)")
          .add(
              "categorical", &ReadOptions::categorical,
              "columns that hold categories, not numbers: names or numbers of CSV columns, feature "
              "numbers of LETOR text (brand,7)")
          .add("ignore", &ReadOptions::ignore, "columns that are not read, named the same way")
          .add("schema", &ReadOptions::schema,
               "a JSON file that says what columns are: {\"features\": {\"brand\": \"category\", "
               "\"url\": \"ignored\"}}")
          .add("first-feature", &ReadOptions::first_feature,
               "lowest feature id in LETOR text; 0 for files that count from 0", between(0, 1))
          .add("max-line-bytes", &ReadOptions::max_line_bytes, "maximum bytes per line",
               at_least(1))
          .add("max-features", &ReadOptions::max_features, "maximum number of features",
               between(1, 4294967295.0))
          .add("max-unpacked-bytes", &ReadOptions::max_unpacked_bytes,
               "maximum decompressed size of a file in bytes; 0: half of the memory", at_least(0));
  return table;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options, Context& context) {
  const auto alone = make_local_communicator();
  Context here{context.seed, context.pool, *alone, context.observer, context.stop};
  return read_whole_file(path, Spread::one_file, options, here);
}

void write_dataset(const Dataset& data, const std::string& path, Context& context) {
  context.observer.phase("writing " + path);
  format_to_write(path).write(data, path, context);
}

}  // namespace podium
