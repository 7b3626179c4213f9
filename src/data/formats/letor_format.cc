// LETOR / SVMlight text and its side files.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/text_scan.h"
#include "core/unpack.h"
#include "data/formats/data_format.h"
#include "data/formats/letor_reader.h"
#include "data/formats/letor_writer.h"
#include "data/formats/text_files.h"
#include "data/shares/qids_over_ranks.h"
#include "data/shares/text_share.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::string_view kLetorSuffixes[] = {".txt", ".letor", ".svm", ".svmlight", ".libsvm"};

// Whether a line is neither empty nor a comment.
bool is_letor_row(std::string_view line) {
  const auto* const text =
      std::find_if(line.begin(), line.end(), [](char c) { return !is_blank(c); });
  return text != line.end() && *text != '\n' && *text != '#';
}

// A word like `qid:7` or `12:0.5`.
bool is_pair(std::string_view word) {
  const std::string_view before = word.substr(0, word.find(':'));
  const bool number = !before.empty() && before.find_first_not_of("0123456789") == word.npos;
  return before.size() < word.size() && (number || before == "qid");
}

// A number, optionally followed by a weight or a comment.
bool is_label(std::string_view word) {
  std::string padded(word);
  padded += '\n';
  padded.append(TextBlock::kReadableBehind, '\0');
  const FloatScan scan = scan_float(padded.data());
  return scan.status == ScanStatus::number &&
         (*scan.end == '\n' || *scan.end == ':' || *scan.end == '#');
}

// Whether the first row has a pair after its first word (so that the reader can explain a wrong
// label), or is only a label. Text without rows may have this format.
bool looks_like_letor(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (!is_letor_row(line)) continue;
    constexpr std::string_view kBlanks = " \t\r\v\f";
    line.remove_prefix(line.find_first_not_of(kBlanks));
    const std::size_t label_end = std::min(line.find_first_of(kBlanks), line.size());
    std::string_view rest = line.substr(label_end);
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const std::string_view second = rest.substr(0, rest.find_first_of(kBlanks));
    if (is_pair(second)) return true;
    return is_label(line.substr(0, label_end)) && (second.empty() || second[0] == '#');
  }
  return true;
}

// An empty value is a missing one, except where the file ends within its line: there the value was
// most likely cut off.
void refuse_cut_value(std::string_view last_bytes, const std::string& path) {
  if (last_bytes.ends_with(':'))
    throw Error(ErrorCode::data,
                "the file ends after a ':', without a line end: it seems to be truncated", {path});
}

// Of a file that is not compressed: the end of a compressed one is checked when it is unpacked.
std::string last_byte(const std::string& path) {
  if (path == "-" || packing_of(path) != Packing::none) return {};
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  if (!std::filesystem::is_regular_file(path) || size <= 0) return {};
  file.seekg(size - 1);
  return {static_cast<char>(file.get())};
}

RowContext letor_surroundings(const std::string& path) {
  RowContext around;
  around.file = path;
  around.side_files = find_side_files(path);
  if (std::error_code ignored;
      path != "-" && std::filesystem::is_regular_file(around.side_files.sizes, ignored))
    around.query_sizes = read_group_sizes(around.side_files.sizes);
  return around;
}

Dataset read_letor_file(const std::string& path, Spread spread, const ReadOptions& options,
                        Context& context) {
  std::unique_ptr<TextSource> source;
  RowContext around;
  on_every_rank(context.comm, [&] {
    source = open_text(path, text_limits(options));
    refuse_cut_value(last_byte(path), path);
    around = letor_surroundings(path);
  });
  around.spread = spread;
  return read_letor(*source, options, std::move(around), context);
}

Dataset read_letor_part(const std::string& path, const ReadOptions& options, Context& context) {
  const auto file = map_for_parts(path, context.comm);
  RowContext around;
  on_every_rank(context.comm, [&] {
    refuse_cut_value(file->bytes(), path);
    around = letor_surroundings(path);
  });
  require_one_file(path, around.query_sizes ? around.query_sizes->size() + 1 : 0,
                   "group sizes (.query or .group file)", context.comm);
  const std::string_view text = without_mark(file->bytes());
  const auto parse = [&](const TextBlock& line) { return parse_letor(line, options); };
  std::string_view part;
  if (around.query_sizes && !rows_carry_qids(text, parse))
    part = share_by_sizes(text, *around.query_sizes, is_letor_row, context.comm);
  else
    part = share_by_qid(text, parse, context.comm);
  around.text_before = text.substr(0, static_cast<std::size_t>(part.data() - text.data()));
  const auto source = part_of_text(file, part, text_limits(options));
  Dataset data = read_letor(*source, options, std::move(around), context);
  require_queries_apart(data, path, context.comm);
  return data;
}

}  // namespace

extern const DataFormat kLetorFormat;
constinit const DataFormat kLetorFormat = {.name = "letor",
                                           .title = "LETOR text",
                                           .suffixes = kLetorSuffixes,
                                           .sniff = looks_like_letor,
                                           .columns = DataFormat::Columns::unnamed,
                                           .access = DataFormat::Access::read_once,
                                           .read = read_letor_file,
                                           .read_part = read_letor_part,
                                           .write = write_letor};

}  // namespace podium
