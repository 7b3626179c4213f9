// The times of a click log: numbers in any unit, or ISO 8601 as 2026-01-31, 2026-01-31T09:30:00Z,
// 2026-01-31 09:30:00.25+01:00. Without a zone, UTC.
#pragma once

#include <string_view>

namespace podium {

// A number as it is, an ISO time in seconds since 1970; false for anything else.
bool parse_log_time(std::string_view text, double& time);

}  // namespace podium
