// The lines of a foreign file one by one, and numbers in them; errors name the file and the line.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {

class TextLines {
 public:
  TextLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  // The next line without its end; false after the last one.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }
  std::size_t number() const noexcept { return number_; }
  const std::string& file() const noexcept { return file_; }

  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
    throw Error(ErrorCode::data, what, {file_, line});
  }

  // Numbers on the given line, or on the current one. A real may be infinite, as LightGBM's
  // thresholds can be.
  double real(std::string_view text, std::size_t line = 0) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || std::isnan(value))
      fail_at(line ? line : number_, fmt::format("'{}' is not a number", shown(text)));
    return value;
  }
  template <class T>
  T whole(std::string_view text, std::size_t line = 0) const {
    T value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size())
      fail_at(line ? line : number_,
              fmt::format("'{}' is not a whole number in range", shown(text)));
    return value;
  }

  // The part of a text that fits into a message.
  static std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40))
      out += static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~' ? '?' : c;
    return out + (text.size() > 40 ? "…" : "");
  }

 private:
  std::string_view rest_;
  std::string file_;
  std::size_t number_ = 0;
};

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

// The words between blanks.
inline std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    std::size_t end = 0;
    while (end < text.size() && static_cast<unsigned char>(text[end]) > ' ') ++end;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace podium
