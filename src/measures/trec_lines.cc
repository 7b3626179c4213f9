#include "measures/trec_lines.h"

#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/text_scan.h"
#include "data/formats/parse_error.h"

namespace podium {
namespace {

constexpr std::size_t kTopicColumn = 0, kDocumentColumn = 2, kRunIdColumn = 5;

class Parser {
 public:
  Parser(TextBlock block, const TrecFormat& format) : format_(format) {
    piece_.block = std::move(block);
  }

  TrecPiece parse() {
    const std::string_view text = piece_.block.text;
    end_ = text.data() + text.size();
    try {
      for (const char* p = text.data(); p < end_;) {
        ++piece_.lines;
        const char* const line = p;
        p = parse_line(p);
        if (p - line - 1 > TextLimits{}.max_line_bytes)
          reject(fmt::format("the line has more than {} bytes: a line of {} is `{}`",
                             TextLimits{}.max_line_bytes, format_.kind, format_.columns));
      }
    } catch (const Error& error) {
      piece_.error = error;
    }
    return std::move(piece_);
  }

 private:
  [[noreturn]] void reject(std::string_view why) const {
    throw Error(ErrorCode::data, why, {"", piece_.lines});
  }

  // Takes the beginning of a line and returns that of the next.
  const char* parse_line(const char* p) {
    std::array<std::string_view, 6> columns;
    std::size_t count = 0;
    for (; count < format_.column_count; ++count) {
      while (is_blank(*p)) ++p;
      if (*p == '\n') break;
      const char* const begin = p;
      p = word_end(p, end_);
      columns[count] = {begin, static_cast<std::size_t>(p - begin)};
      if (count == 0 && *begin == '#') return next_line(p);
    }
    if (count == format_.column_count)
      add(columns);
    else if (count > 0)
      reject(fmt::format("{} of {} columns: a line of {} is `{}`", count, format_.column_count,
                         format_.kind, format_.columns));
    return next_line(p);
  }

  const char* next_line(const char* p) const {
    if (*p == '\n') return p + 1;
    const void* const end = std::memchr(p, '\n', static_cast<std::size_t>(end_ - p));
    return end ? static_cast<const char*>(end) + 1 : end_;
  }

  void add(const std::array<std::string_view, 6>& columns) {
    const std::string_view number = columns[format_.value_column];
    double value = 0;
    if (!scan_double(number, value) || std::abs(value) > format_.largest)
      reject(fmt::format("the {} '{}' is not a number", format_.value_name, shortened(number)));
    const std::string_view document = columns[kDocumentColumn], topic = columns[kTopicColumn];
    if (piece_.documents.empty()) expect_lines_like(topic.data(), number.data());
    const auto place = static_cast<std::uint32_t>(piece_.documents.size());
    if (piece_.stretches.empty() || piece_.stretches.back().topic != topic)
      piece_.stretches.push_back({topic, place, place});
    ++piece_.stretches.back().end;
    piece_.documents.push_back(
        {static_cast<std::uint32_t>(document.data() - piece_.block.text.data()),
         static_cast<std::uint32_t>(XXH3_64bits(document.data(), document.size())), value});
    if (format_.column_count > kRunIdColumn) piece_.run_id = columns[kRunIdColumn];
  }

  // Reserves space for a piece, assuming that all lines have this length.
  void expect_lines_like(const char* begin, const char* end) {
    piece_.documents.reserve(piece_.block.text.size() / static_cast<std::size_t>(end - begin) + 1);
  }

  const TrecFormat& format_;
  TrecPiece piece_;
  const char* end_ = nullptr;  // of the text
};

}  // namespace

TrecPiece parse_trec_block(TextBlock block, const TrecFormat& format) {
  return Parser(std::move(block), format).parse();
}

}  // namespace podium
