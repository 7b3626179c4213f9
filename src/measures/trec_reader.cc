// Reads qrels and runs: lines to records, records sorted by topic and document, duplicates refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "core/text_source.h"
#include "podium/trec.h"

namespace podium {
namespace {

struct Format {
  std::string_view kind;
  std::string_view columns;
  std::size_t column_count;
  std::size_t value_column;
  std::string_view value_name;
};
constexpr Format kQrels = {"judgements", "topic iteration document grade", 4, 3, "grade"};
constexpr Format kRun = {"run", "topic Q0 document rank score run-id", 6, 4, "score"};
constexpr std::size_t kTopicColumn = 0, kDocumentColumn = 2, kRunIdColumn = 5;

using Columns = std::array<std::string_view, 6>;

// The first columns of a line, and how many of them there were.
std::size_t split(std::string_view line, Columns& columns, std::size_t wanted) {
  std::size_t count = 0, at = 0;
  while (count < wanted) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) break;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    columns[count++] = line.substr(begin, at - begin);
  }
  return count;
}

struct Record {
  std::string_view topic;
  TrecFile::Line line;
};

class Reader {
 public:
  Reader(const std::string& path, const Format& format) : format_(format) { file_.path = path; }

  TrecFile read() {
    const auto source = open_text(file_.path, TextLimits{});
    while (const auto block = source->next()) {
      file_.owners.push_back(block->owner);
      for (std::string_view rest = block->text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        ++number_;
        add(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    if (records_.empty())
      throw Error(ErrorCode::data, fmt::format("no {} in the file", format_.kind), {file_.path, 0});
    group();
    return std::move(file_);
  }

 private:
  [[noreturn]] void reject(std::size_t line, std::string_view why) const {
    throw Error(ErrorCode::data, why, {file_.path, line});
  }

  void add(std::string_view line) {
    Columns columns;
    const std::size_t count = split(line, columns, format_.column_count);
    if (count == 0 || columns[0].starts_with('#')) return;
    if (count < format_.column_count)
      reject(number_, fmt::format("{} of {} columns: a line of {} is `{}`", count,
                                  format_.column_count, format_.kind, format_.columns));
    double value = 0;
    const std::string_view text = columns[format_.value_column];
    if (!parse_double(text, value) || std::isnan(value) ||
        (format_.column_count == kQrels.column_count &&
         std::abs(value) > std::numeric_limits<float>::max()))
      reject(number_, fmt::format("the {} '{}' is not a number", format_.value_name, text));
    records_.push_back({columns[kTopicColumn], {columns[kDocumentColumn], value, number_}});
    if (format_.column_count > kRunIdColumn) file_.run_id = columns[kRunIdColumn];
  }

  void group() {
    std::stable_sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
      return a.topic != b.topic ? a.topic < b.topic : a.line.document < b.line.document;
    });
    for (const Record& record : records_) {
      if (file_.topics.empty() || file_.topics.back().id != record.topic)
        file_.topics.push_back({record.topic, {}});
      std::vector<TrecFile::Line>& lines = file_.topics.back().lines;
      if (!lines.empty() && lines.back().document == record.line.document)
        reject(record.line.number,
               fmt::format("document '{}' of topic '{}' was there before, at line {}",
                           record.line.document, record.topic, lines.back().number));
      lines.push_back(record.line);
    }
  }

  const Format& format_;
  TrecFile file_;
  std::vector<Record> records_;
  std::size_t number_ = 0;
};

}  // namespace

TrecFile read_qrels(const std::string& path) {
  return Reader(path, kQrels).read();
}
TrecFile read_run(const std::string& path) {
  return Reader(path, kRun).read();
}

}  // namespace podium
