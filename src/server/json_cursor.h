// Strict JSON (RFC 8259), read value by value without building anything: for request bodies, whose
// shape is known. Numbers become the float nearest to the decimal, as everywhere.
//
// A mistake is an Error that says where: "at byte 17: …". Nothing recurses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace podium {

class JsonCursor {
 public:
  // `text` is followed by kPadding bytes of 0.
  static constexpr std::size_t kPadding = 64;
  explicit JsonCursor(std::string_view text)
      : begin_(text.data()), p_(begin_), end_(begin_ + text.size()) {}

  // The next byte that is no white space, or 0 at the end.
  char peek() {
    while (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r') ++p_;
    return *p_;
  }
  // Steps over `c` if it is next.
  bool take(char c) {
    if (peek() != c || p_ == end_) return false;
    ++p_;
    return true;
  }
  void expect(char c);
  // After the last value.
  void expect_end();

  // In a list: steps over ',' or, with false, over `close`. `first`: nothing was read of it yet.
  bool next_item(char close, std::size_t items_before);

  // A key that is spelled as `raw` (with its escapes, without quotes): stepped over, colon too.
  bool take_key(std::string_view raw);
  // A key and its colon. Valid until the next call; raw_key() is it as spelled.
  std::string_view key();
  std::string_view raw_key() const noexcept { return raw_key_; }

  std::string string();
  float number();
  // A number, or null for a missing value (NaN).
  float number_or_null();
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
