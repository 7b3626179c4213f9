#include "server/chunk_scanner.h"

#include <algorithm>

namespace podium {
namespace {

constexpr std::uint32_t kMaxExtension = 1024;  // bytes a chunk

// −1: no hexadecimal digit.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

ChunkScanner::State ChunkScanner::expect(char c, char wanted, Part next) {
  part_ = next;
  return c == wanted ? State::open : State::malformed;
}

ChunkScanner::State ChunkScanner::take_digit(char c) {
  const int digit = digit_value(c);
  if (digit < 0) {
    if (part_ == Part::first_digit) return State::malformed;
    extension_ = 0;
    part_ = c == ';' ? Part::extension : Part::size_lf;
    return c == ';' || c == '\r' ? State::open : State::malformed;
  }
  part_ = Part::digits;
  if (chunk_ > left_ / 16) return State::too_large;
  chunk_ = 16 * chunk_ + static_cast<std::uint64_t>(digit);
  return chunk_ > left_ ? State::too_large : State::open;
}

ChunkScanner::State ChunkScanner::take(char c) {
  switch (part_) {
    case Part::first_digit:
    case Part::digits:
      return take_digit(c);
    case Part::extension:
      if (c == '\r') part_ = Part::size_lf;
      return c == '\n' || c == '\0' || ++extension_ > kMaxExtension ? State::malformed
                                                                    : State::open;
    case Part::size_lf:
      left_ -= chunk_;
      return expect(c, '\n', chunk_ > 0 ? Part::data : Part::last_cr);
    case Part::data:  // feed() has stepped over it
    case Part::data_cr:
      return expect(c, '\r', Part::data_lf);
    case Part::data_lf:
      return expect(c, '\n', Part::first_digit);
    case Part::last_cr:
      return expect(c, '\r', Part::last_lf);
    case Part::last_lf:
      return c == '\n' ? State::complete : State::malformed;
  }
  return State::malformed;
}

ChunkScanner::State ChunkScanner::feed(std::string_view bytes) {
  while (!bytes.empty() && state_ == State::open) {
    if (part_ != Part::data) {
      state_ = take(bytes[0]);
      bytes.remove_prefix(1);
      continue;
    }
    const std::uint64_t step = std::min<std::uint64_t>(chunk_, bytes.size());
    bytes.remove_prefix(step);
    chunk_ -= step;
    if (chunk_ == 0) part_ = Part::data_cr;
  }
  return state_;
}

}  // namespace podium
