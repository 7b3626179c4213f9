// Strict JSON (RFC 8259), read value by value without building a tree: for request bodies, whose
// structure is known. Numbers become the nearest float, as everywhere.
//
// Errors have the position: "at byte 17: …". No recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace podium {

class JsonCursor {
 public:
  // `text` is followed by kPadding bytes of 0.
  static constexpr std::size_t kPadding = 64;
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

  // The next byte that is not white space, or 0 at the end.
  char peek() {
    while (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r') ++p_;
    return *p_;
  }
  // Skips `c` if it is next.
  bool take(char c) {
    if (peek() != c || p_ == end_) return false;
    ++p_;
    return true;
  }
  // Where the next byte is.
  const char* place() const noexcept { return p_; }
  void expect(char c);
  // Call it after the last value.
  void expect_end();

  // In a list: skips ',' and returns true, or skips `close` and returns false. `items_before`: the
  // number of items already read.
  bool next_item(char close, std::size_t items_before);

  // Skips a key spelled as `raw` (with escapes, without quotes) and its colon; false if another one
  // is next.
  bool take_key(std::string_view raw);
  // A key and its colon. Valid until the next call; raw_key() is its spelling.
  std::string_view key();
  std::string_view raw_key() const noexcept { return raw_key_; }

  std::string string();
  float number();
  // A number, or null for a missing value (NaN).
  float number_or_null();
  // true or false, if one of them is next.
  std::optional<bool> take_truth();
  // A whole number from 0 to 10⁹.
  std::size_t count();
  // The text of a number, as written.
  std::string_view number_text();

  [[noreturn]] void fail(std::string_view message) const;

 private:
  const char* string_end(const char* p) const;
  std::string decode(std::string_view raw) const;
  const char* number_end() const;
  std::string_view raw_string();

  const char *begin_, *p_, *end_;
  std::string_view raw_key_;
  std::string decoded_;
};

}  // namespace podium
