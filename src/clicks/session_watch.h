// Finds sessions whose lines are not contiguous, in bounded memory: of the hashes of (session, qid)
// those in a share of all hashes are kept, and the share is halved when there are too many. Up to
// four million sessions the count is exact, beyond that a lower bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/random.h"

namespace podium {

class SessionWatch {
 public:
  void begin(std::string_view session, std::string_view query) {
    const std::uint64_t hash = mix(hash_text(session), hash_text(query));
    if (hash & mask_) return;
    hashes_.push_back(hash);
    if (hashes_.size() < kMost) return;
    mask_ = 2 * mask_ + 1;
    std::erase_if(hashes_, [&](std::uint64_t h) { return (h & mask_) != 0; });
  }
  // How many times a session began again.
  std::uint64_t scattered() {
    std::sort(hashes_.begin(), hashes_.end());
    const auto last = std::unique(hashes_.begin(), hashes_.end());
    return static_cast<std::uint64_t>(hashes_.end() - last);
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 22;
  std::uint64_t mask_ = 0;
  std::vector<std::uint64_t> hashes_;
};

// The earliest time of a session against that of the session before.
class SessionClock {
 public:
  // Also a time that is not a number, for a line without one.
  void add(double time) {
    if (!(first_ <= time) && time == time) first_ = time;
  }
  // Whether the session that ends began before the one before.
  bool end() {
    const bool backwards = first_ < before_;
    if (first_ == first_) before_ = first_;
    first_ = kNone;
    return backwards;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double first_ = kNone, before_ = kNone;
};

// Sessions that look like robots.
inline constexpr std::size_t kManyShown = 5;  // clicks on all of so many

inline std::string dropped_robots(std::uint64_t count, std::int64_t max_clicks) {
  return fmt::format("{} with more than {} clicks dropped", counted(count, "session"), max_clicks);
}
inline std::string likely_robots(std::uint64_t count) {
  return fmt::format(
      "{} clicked each of {} or more documents, as robots do; ‹max-clicks› drops them",
      counted(count, "session"), kManyShown);
}

inline std::string scattered_sessions(std::uint64_t count) {
  return fmt::format(
      "{} not contiguous: the log has the same session and query again further on, and counts them "
      "as other sessions. Sort the log by session, unless the query was repeated",
      count == 1 ? "1 session is" : fmt::format("{} sessions are", count));
}

}  // namespace podium
