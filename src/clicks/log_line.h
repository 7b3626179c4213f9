// The lines of a click log: its header, and one line as fields.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

enum class LogColumn : std::uint8_t {
  session,
  qid,
  docid,
  position,
  click,
  propensity,
  weight,
  time,
  owner
};
inline constexpr std::size_t kLogColumns = 9;

struct LogHeader {
  char separator = '\t';
  std::vector<int> column;  // of each field: a LogColumn, or -1 if it is ignored
  std::array<bool, kLogColumns> present = {};

  bool has(LogColumn c) const { return present[static_cast<std::size_t>(c)]; }
};
// Throws an Error that names the missing column; its place has no file. Lists of sessions need only
// the first two columns.
enum class LogKind : std::uint8_t { clicks, sessions };
LogHeader parse_log_header(std::string_view line, LogKind kind = LogKind::clicks);

// One line, checked as far as a single line can be.
struct LogLine {
  std::string_view session, qid, docid;
  std::uint32_t position = 0;
  bool click = false;
  char owner = 0;  // of an interleaved list: 'a', 'b', or 0
  double propensity = 1, weight = 1;
  double time = 0;  // not a number if it is empty
};
// Returns the message about the first mistake, or "".
std::string parse_log_line(std::string_view line, const LogHeader& header, LogLine& out);

// The largest position that a log may have.
inline constexpr std::uint32_t kLastPosition = 10000;

}  // namespace podium
