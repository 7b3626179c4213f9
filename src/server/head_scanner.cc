#include "server/head_scanner.h"

namespace podium {

HeadScanner::State HeadScanner::take(char c) {
  if (after_cr_ != (c == '\n') || c == '\0') return State::malformed;
  after_cr_ = c == '\r';
  ++head_;
  ++line_;
  if (line_ > kMaxLine) return first_line_ ? State::long_line : State::too_large;
  if (head_ > kMaxHead) return State::too_large;
  if (c != '\n') return State::open;
  if (line_ == 2) return first_line_ ? State::malformed : State::complete;
  line_ = 0;
  first_line_ = false;
  return State::open;
}

HeadScanner::State HeadScanner::feed(std::string_view bytes) {
  for (const char c : bytes) {
    if (state_ != State::open) break;
    state_ = take(c);
  }
  return state_;
}

}  // namespace podium
