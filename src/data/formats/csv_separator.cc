// Which character separates the fields of a CSV file.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/formats/csv_header.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::array<char, 4> kSeparators = {',', ';', '\t', '|'};

char separator_named(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  constexpr std::string_view kNeverSeparators = "\"\n\r";
  const auto c = static_cast<unsigned char>(text[0]);
  if (text.size() == 1 && c < 0x80 && kNeverSeparators.find(text[0]) == kNeverSeparators.npos)
    return text[0];
  throw Error(ErrorCode::usage,
              fmt::format("‹separator›: '{}' is neither one character nor tab", text));
}

// Whether the line, cut so, has the columns that every file needs.
bool names_needed(std::string_view line, char separator, const ReadOptions& options) {
  std::vector<std::string> names = bare_names(line, separator);
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!options.label_column.empty() && has(options.label_column)) names.emplace_back("label");
  if (!options.qid_column.empty() && has(options.qid_column)) names.emplace_back("qid");
  return names_required_columns(names);
}

}  // namespace

std::vector<std::string> bare_names(std::string_view line, char separator) {
  constexpr std::string_view kAround = " \"\r";
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(separator, begin), line.size());
    const std::string_view field = line.substr(begin, end - begin);
    const std::size_t first = std::min(field.find_first_not_of(kAround), field.size());
    names.emplace_back(field.substr(first, field.find_last_not_of(kAround) + 1 - first));
    begin = end + 1;
  }
  return names;
}

char choose_separator(std::string_view line, char usual, const ReadOptions& options) {
  if (!options.separator.empty()) return separator_named(options.separator);
  if (!options.no_header) {
    if (names_needed(line, usual, options)) return usual;
    for (const char separator : kSeparators)
      if (names_needed(line, separator, options)) return separator;
  }
  const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
  char best = usual;
  for (const char separator : kSeparators)
    if (count(separator) > count(best)) best = separator;
  return best;
}

}  // namespace podium
