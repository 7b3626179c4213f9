#include "data/formats/number_lines.h"

#include <fmt/format.h>

#include "core/file_stamp.h"
#include "core/text_scan.h"
#include "core/text_source.h"
#include "data/formats/parse_error.h"

namespace podium {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void read_number_lines(const std::string& file,
                       const std::function<void(std::string_view, const Place&)>& body) {
  const auto source = open_text(file, {});
  Place place{file, 0};
  std::size_t blank_line = 0;
  while (const auto block = source->next()) {
    std::string_view rest = block->text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      ++place.line;
      if (line.empty()) {
        if (blank_line == 0) blank_line = place.line;
        continue;
      }
      if (blank_line)
        throw Error(ErrorCode::data, "a blank line between numbers", {file, blank_line});
      body(line, place);
    }
  }
}

}  // namespace

void for_each_number_line(const std::string& file,
                          const std::function<void(std::string_view, const Place&)>& body) {
  read_unchanged(file, [&] {
    read_number_lines(file, body);
    return true;
  });
}

double parse_number_line(std::string_view text, const Place& place) {
  double value = 0;
  if (!parse_double(text, value))
    throw Error(ErrorCode::data, fmt::format("'{}' is not a finite number", shortened(text)),
                place);
  return value;
}

}  // namespace podium
