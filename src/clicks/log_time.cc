#include "clicks/log_time.h"

#include <charconv>
#include <chrono>
#include <cmath>

#include "core/text_scan.h"

namespace podium {
namespace {

// Removes what it reads from the beginning of the text.
class TimeText {
 public:
  explicit TimeText(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  bool take(char c) {
    const bool is = !rest_.empty() && rest_[0] == c;
    if (is) rest_.remove_prefix(1);
    return is;
  }
  // A number of so many digits, no less than low and at most high.
  bool digits(std::size_t count, int low, int high, int& value) {
    if (rest_.size() < count) return false;
    for (const char c : rest_.substr(0, count))
      if (c < '0' || c > '9') return false;
    std::from_chars(rest_.data(), rest_.data() + count, value);
    rest_.remove_prefix(count);
    return value >= low && value <= high;
  }
  // The digits after a decimal point.
  bool fraction(double& value) {
    double unit = 0.1;
    const std::size_t before = rest_.size();
    for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1)) {
      value += unit * (rest_[0] - '0');
      unit /= 10;
    }
    return rest_.size() < before;
  }

 private:
  std::string_view rest_;
};

bool read_date(TimeText& text, double& days) {
  int year = 0, month = 0, day = 0;
  if (!(text.digits(4, 0, 9999, year) && text.take('-') && text.digits(2, 1, 12, month) &&
        text.take('-') && text.digits(2, 1, 31, day)))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return date.ok();
}

bool read_clock(TimeText& text, double& seconds) {
  int hour = 0, minute = 0, second = 0;
  double fraction = 0;
  if (!(text.digits(2, 0, 24, hour) && text.take(':') && text.digits(2, 0, 59, minute)))
    return false;
  if (text.take(':')) {
    if (!text.digits(2, 0, 60, second)) return false;
    if ((text.take('.') || text.take(',')) && !text.fraction(fraction)) return false;
  }
  seconds = 3600.0 * hour + 60.0 * minute + second + fraction;
  return true;
}

bool read_zone(TimeText& text, double& offset) {
  if (text.done() || text.take('Z') || text.take('z')) return true;
  const bool west = text.take('-');
  int hours = 0, minutes = 0;
  if (!west && !text.take('+')) return false;
  if (!text.digits(2, 0, 23, hours)) return false;
  const bool colon = text.take(':');
  if ((colon || !text.done()) && !text.digits(2, 0, 59, minutes)) return false;
  offset = (west ? -60.0 : 60.0) * (60 * hours + minutes);
  return true;
}

}  // namespace

bool parse_log_time(std::string_view text, double& time) {
  if (parse_double(text, time)) return std::isfinite(time);
  TimeText rest(text);
  double days = 0, seconds = 0, offset = 0;
  if (!read_date(rest, days)) return false;
  if (!rest.done() && !((rest.take('T') || rest.take('t') || rest.take(' ')) &&
                        read_clock(rest, seconds) && read_zone(rest, offset)))
    return false;
  time = 86400 * days + seconds - offset;
  return rest.done();
}

}  // namespace podium
