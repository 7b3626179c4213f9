#include "server/chunk_decoder.h"

#include <algorithm>

namespace podium {
namespace {

// −1: not a hexadecimal digit.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The only white space inside a line of HTTP.
bool is_field_blank(char c) {
  return c == ' ' || c == '\t';
}

// The characters of a field's value: no control characters.
bool is_text(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
}

// The characters of a field's name (RFC 9110, 5.6.2).
bool is_token(char c) {
  const bool letter_or_digit =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter_or_digit ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

}  // namespace

ChunkDecoder::State ChunkDecoder::expect(char c, char wanted, Part next) {
  part_ = next;
  return c == wanted ? State::open : State::malformed;
}

ChunkDecoder::State ChunkDecoder::take_digit(char c) {
  const int digit = digit_value(c);
  if (digit < 0) return part_ == Part::first_digit ? State::malformed : take_extension(c);
  part_ = Part::digits;
  if (chunk_ > left_ / 16) return State::too_large;
  chunk_ = 16 * chunk_ + static_cast<std::uint64_t>(digit);
  return chunk_ > left_ ? State::too_large : State::open;
}

// After the digits. Blanks are allowed only before an extension.
ChunkDecoder::State ChunkDecoder::take_extension(char c) {
  if (c == '\r' && part_ != Part::before_extension) {
    part_ = Part::size_lf;
    return State::open;
  }
  if (part_ != Part::extension) {
    if (c != ';' && !is_field_blank(c)) return State::malformed;
    part_ = c == ';' ? Part::extension : Part::before_extension;
  }
  return !is_text(c) || ++extensions_ > kMaxExtensions ? State::malformed : State::open;
}

// Lines NAME: VALUE, and the empty line. A continuation that begins with a blank (obs-fold) is
// malformed.
ChunkDecoder::State ChunkDecoder::take_trailer(char c) {
  if (++trailers_ > kMaxTrailers) return State::malformed;
  if (part_ == Part::line_begin && c == '\r') {
    part_ = Part::last_lf;
    return State::open;
  }
  if (part_ != Part::value) {
    const bool ends = part_ == Part::name && c == ':';
    part_ = ends ? Part::value : Part::name;
    return ends || is_token(c) ? State::open : State::malformed;
  }
  if (c == '\r') {
    part_ = Part::value_lf;
    return State::open;
  }
  return is_text(c) ? State::open : State::malformed;
}

ChunkDecoder::State ChunkDecoder::take(char c) {
  switch (part_) {
    case Part::first_digit:
    case Part::digits:
      return take_digit(c);
    case Part::before_extension:
    case Part::extension:
      return take_extension(c);
    case Part::size_lf:
      left_ -= chunk_;
      return expect(c, '\n', chunk_ > 0 ? Part::data : Part::line_begin);
    case Part::data:  // feed() has skipped it
    case Part::data_cr:
      return expect(c, '\r', Part::data_lf);
    case Part::data_lf:
      return expect(c, '\n', Part::first_digit);
    case Part::line_begin:
    case Part::name:
    case Part::value:
      return take_trailer(c);
    case Part::value_lf:
      return expect(c, '\n', Part::line_begin);
    case Part::last_lf:
      return c == '\n' ? State::complete : State::malformed;
  }
  return State::malformed;
}

std::size_t ChunkDecoder::feed(std::string_view bytes, std::string& body) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ == State::open) {
    if (part_ != Part::data) {
      state_ = take(bytes[used++]);
      continue;
    }
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, bytes.size() - used));
    body.append(bytes.substr(used, step));
    used += step;
    chunk_ -= step;
    if (chunk_ == 0) part_ = Part::data_cr;
  }
  return used;
}

}  // namespace podium
