// CSV and TSV: one format, with two separators.
#include <algorithm>

#include "data/formats/csv_reader.h"
#include "data/formats/csv_writer.h"
#include "data/formats/data_format.h"
#include "data/formats/text_files.h"
#include "data/shares/qids_over_ranks.h"
#include "data/shares/text_share.h"
#include "distributed/on_every_rank.h"

namespace podium {
namespace {

constexpr std::string_view kCsvSuffixes[] = {".csv"}, kTsvSuffixes[] = {".tsv"};

// The first line names a label and a query, and is no comment of LETOR text. Semicolons and bars
// are CSV's.
template <char separator>
bool looks_like_csv(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.starts_with('#')) return false;
  const char likely = choose_separator(line, separator, {});
  const bool commas = separator == ',' && likely != '\t';
  return (likely == separator || commas) && names_required_columns(bare_names(line, likely));
}

template <char separator>
Dataset read_csv_file(const std::string& path, Spread spread, const ReadOptions& options,
                      Context& context) {
  std::unique_ptr<TextSource> source;
  on_every_rank(context.comm, [&] { source = open_text(path, text_limits(options)); });
  RowContext around;
  around.file = path;
  around.spread = spread;
  return read_csv(*source, separator, options, std::move(around), context);
}

template <char separator>
Dataset read_csv_part(const std::string& path, const ReadOptions& options, Context& context) {
  const auto file = map_for_parts(path, context.comm);
  RowContext around;
  around.file = path;
  std::string_view text = without_mark(file->bytes());
  CsvHeader header;
  on_every_rank(context.comm, [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = std::string(text.substr(0, end)) + '\n';
    header = read_csv_header(std::string_view(line).substr(0, end), separator, options, path,
                             context.observer);
    if (header.lines > 0) text.remove_prefix(std::min(end + 1, text.size()));
  });
  const std::string_view part = share_by_qid(
      text, [&](const TextBlock& line) { return parse_csv(line, header, options); }, context.comm);
  around.text_before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  const auto source = part_of_text(file, part, text_limits(options));
  Dataset data = read_csv_rows(*source, header, options, std::move(around), context);
  require_queries_apart(data, path, context.comm);
  return data;
}

template <char separator>
void write_csv_file(const Dataset& data, const std::string& path, Context& context) {
  write_csv(data, separator, path, context);
}

template <char separator>
constexpr DataFormat separated_by(std::string_view name, std::string_view title,
                                  std::span<const std::string_view> suffixes) {
  return {.name = name,
          .title = title,
          .suffixes = suffixes,
          .sniff = looks_like_csv<separator>,
          .columns = DataFormat::Columns::named,
          .access = DataFormat::Access::read_once,
          .read = read_csv_file<separator>,
          .read_part = read_csv_part<separator>,
          .write = write_csv_file<separator>};
}

}  // namespace

extern const DataFormat kCsvFormat, kTsvFormat;
constinit const DataFormat kCsvFormat = separated_by<','>("csv", "CSV", kCsvSuffixes);
constinit const DataFormat kTsvFormat = separated_by<'\t'>("tsv", "TSV", kTsvSuffixes);

}  // namespace podium
