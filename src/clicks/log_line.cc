#include "clicks/log_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "clicks/log_time.h"
#include "core/text_scan.h"
#include "data/formats/csv_header.h"
#include "data/formats/parse_error.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::array<std::string_view, kLogColumns> kNames = {
    "session", "qid", "docid", "position", "click", "propensity", "weight", "time", "owner"};
constexpr std::size_t kRequired = 5, kRequiredOfSessions = 2;

// The next field, without the quotes around it; false if a quote is not closed.
bool next_field(std::string_view& rest, char separator, std::string_view& field) {
  if (!rest.empty() && rest[0] == '"') {
    const std::size_t close = rest.find('"', 1);
    if (close == rest.npos || (close + 1 < rest.size() && rest[close + 1] != separator))
      return false;
    field = rest.substr(1, close - 1);
    rest.remove_prefix(std::min(rest.size(), close + 2));
    return true;
  }
  const std::size_t end = std::min(rest.find(separator), rest.size());
  field = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return true;
}

std::string read_position(std::string_view text, LogLine& out) {
  if (text.empty()) return "no position: only documents that were shown belong in a click log";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.position);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    return fmt::format("the position '{}' is not a whole number", shortened(text));
  if (error == std::errc::result_out_of_range || out.position > kLastPosition)
    return fmt::format("the position {} is beyond {}", shortened(text), kLastPosition);
  if (out.position == 0) return "the position is 0: positions count from 1";
  return {};
}

// A line without a click may have none.
std::string read_time(std::string_view text, LogLine& out) {
  out.time = std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || parse_log_time(text, out.time)) return {};
  return fmt::format("the time '{}' is neither a number nor as in 2026-01-31T09:30:00Z",
                     shortened(text));
}

std::string read_click(std::string_view text, LogLine& out) {
  if (text == "0" || text == "1") {
    out.click = text == "1";
    return {};
  }
  return fmt::format("the click '{}' is neither 0 nor 1", shortened(text));
}

std::string read_number(std::string_view text, LogColumn column, double& value) {
  const std::string_view name = kNames[static_cast<std::size_t>(column)];
  if (!parse_double(text, value) || !std::isfinite(value))
    return fmt::format("the {} '{}' is not a number", name, shortened(text));
  if (column == LogColumn::propensity && !(value > 0 && value <= 1))
    return fmt::format("the propensity {} is not above 0 and at most 1", shortened(text));
  if (column == LogColumn::weight && !(value > 0 && value <= 1e9))
    return fmt::format("the weight {} is not above 0", shortened(text));
  return {};
}

std::string read_owner(std::string_view text, LogLine& out) {
  if (text.empty() || text == "a" || text == "b") {
    out.owner = text.empty() ? '\0' : text[0];
    return {};
  }
  return fmt::format("the owner '{}' is neither a nor b, nor empty", shortened(text));
}

std::string read_field(std::string_view text, LogColumn column, LogLine& out) {
  const auto id = [&](std::string_view& to) {
    to = text;
    return text.empty() ? fmt::format("no {}", kNames[static_cast<std::size_t>(column)])
                        : std::string();
  };
  switch (column) {
    case LogColumn::session:
      return id(out.session);
    case LogColumn::qid:
      return id(out.qid);
    case LogColumn::docid:
      return id(out.docid);
    case LogColumn::position:
      return read_position(text, out);
    case LogColumn::click:
      return read_click(text, out);
    case LogColumn::propensity:
      return read_number(text, column, out.propensity);
    case LogColumn::weight:
      return read_number(text, column, out.weight);
    case LogColumn::time:
      return read_time(text, out);
    case LogColumn::owner:
      break;
  }
  return read_owner(text, out);
}

}  // namespace

LogHeader parse_log_header(std::string_view line, LogKind kind) {
  LogHeader header;
  header.separator = line.find('\t') != line.npos ? '\t' : line.find(';') != line.npos ? ';' : ',';
  for (const std::string& name : bare_names(line, header.separator)) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    header.column.push_back(found == kNames.end() ? -1 : static_cast<int>(found - kNames.begin()));
    if (found == kNames.end()) continue;
    bool& present = header.present[static_cast<std::size_t>(found - kNames.begin())];
    if (present)
      throw Error(ErrorCode::data, fmt::format("the column '{}' occurs twice", name), {{}, 1});
    present = true;
  }
  const bool sessions = kind == LogKind::sessions;
  for (std::size_t c = 0; c < (sessions ? kRequiredOfSessions : kRequired); ++c)
    if (!header.present[c])
      throw Error(ErrorCode::data,
                  fmt::format("the header has no column '{}': {}", kNames[c],
                              sessions ? "a list of sessions needs session and qid"
                                       : "a click log needs session, qid, docid, position and "
                                         "click"),
                  {{}, 1});
  return header;
}

std::string parse_log_line(std::string_view line, const LogHeader& header, LogLine& out) {
  std::string_view rest = line;
  for (std::size_t field = 0; field < header.column.size(); ++field) {
    if (field > 0 && rest.data() == line.data() + line.size() &&
        (line.empty() || line.back() != header.separator || field + 1 < header.column.size()))
      return fmt::format("{} fields, but the header has {}", field, header.column.size());
    std::string_view text;
    if (!next_field(rest, header.separator, text)) return "a quoted field does not end";
    if (header.column[field] < 0) continue;
    std::string problem = read_field(text, static_cast<LogColumn>(header.column[field]), out);
    if (!problem.empty()) return problem;
  }
  if (!rest.empty()) return fmt::format("more fields than the header's {}", header.column.size());
  return {};
}

}  // namespace podium
