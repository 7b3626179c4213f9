#include "core/printable.h"

#include <algorithm>

#include <fmt/format.h>

namespace podium {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The size of the UTF-8 character at the beginning of the text; 0 if it is not valid UTF-8.
// Overlong forms and surrogates are not valid.
std::size_t character_size(std::string_view text) {
  const unsigned first = byte_at(text, 0), second = byte_at(text, 1);
  const std::size_t size = first < 0x80                    ? 1
                           : first >= 0xC2 && first < 0xE0 ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  const bool is_bad = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return is_bad ? 0 : size;
}

// The code point of a character that character_size() accepted.
unsigned code_point(std::string_view character) {
  const unsigned first = byte_at(character, 0);
  unsigned code = character.size() == 1 ? first : first & (0x7FU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i)
    code = code << 6 | (byte_at(character, i) & 0x3F);
  return code;
}

// Whether the character affects how others are displayed: from right to left, or on another line.
bool turns_text(unsigned code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_control(std::string_view character) {
  const unsigned code = code_point(character);
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || turns_text(code);
}

// Replaces characters for which `replace(character)` returns something. It also gets bytes that are
// not valid UTF-8, one at a time.
template <class Replace>
std::string replaced(std::string_view text, Replace&& replace) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t size = character_size(text);
    out += replace(text.substr(0, std::max<std::size_t>(size, 1)), size > 0);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string as_bytes(std::string_view character) {
  std::string out;
  for (const char c : character)
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return replaced(text, [](std::string_view character, bool is_utf8) {
    return is_utf8 && !is_control(character) ? std::string(character) : as_bytes(character);
  });
}

std::string printable_lines(std::string_view text) {
  return replaced(text, [](std::string_view character, bool is_utf8) {
    const bool stays =
        character == "\n" || character == "\t" || (is_utf8 && !is_control(character));
    return stays ? std::string(character) : as_bytes(character);
  });
}

std::string printable_json(std::string_view json) {
  return replaced(json, [](std::string_view character, bool is_utf8) {
    if (!is_utf8 || character == "\n" || !is_control(character)) return std::string(character);
    return fmt::format("\\u{:04x}", code_point(character));
  });
}

}  // namespace podium
