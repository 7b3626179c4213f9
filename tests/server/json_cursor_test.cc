#include "server/json_cursor.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "server/utf8.h"

namespace podium::json_cursor_test {
namespace {

using ::testing::HasSubstr;

// A text with its padding, and a cursor at its start.
struct Text {
  explicit Text(std::string json)
      : padded(json + std::string(JsonCursor::kPadding, '\0')),
        cursor({padded.data(), json.size()}) {}
  std::string padded;
  JsonCursor cursor;
};

std::string problem(const std::string& json, const std::function<void(JsonCursor&)>& read) {
  Text text(json);
  try {
    read(text.cursor);
    text.cursor.expect_end();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

float number_in(const std::string& json) {
  Text text(json);
  const float value = text.cursor.number();
  text.cursor.expect_end();
  return value;
}

TEST(JsonCursor, ReadsNumbersAsTheNearestFloat) {
  EXPECT_EQ(number_in("0"), 0.0F);
  EXPECT_TRUE(std::signbit(number_in("-0")));
  EXPECT_EQ(number_in(" 0.1\n"), 0.1F);
  EXPECT_EQ(number_in("-12.5E-1"), -1.25F);
  EXPECT_EQ(number_in("1e-60"), 0.0F);
  EXPECT_EQ(number_in("16777217"), 16777216.0F);
  // Halfway between two floats except for its last digit: rounding to double first would be wrong.
  EXPECT_EQ(number_in("1.00000017881393432617187500001"), 1.00000023841858F);
}

TEST(JsonCursor, RefusesInvalidNumbers) {
  const auto read = [](JsonCursor& cursor) { cursor.number(); };
  for (const char* wrong : {"", "-", "+1", ".5", "1.", "1.e5", "01", "-01", "1e", "1e+", "0x10",
                            "1,2", "\"1\"", "true", "1 2", "--1", "1.5.2", "٣"})
    EXPECT_NE(problem(wrong, read), "") << wrong;
  for (const char* word : {"NaN", "nan", "Infinity", "-inf", "NULL"})
    EXPECT_THAT(problem(word, read), HasSubstr("JSON has no NaN and no infinity")) << word;
  for (const char* huge : {"1e39", "-1e999", "1e99999999999999999999"})
    EXPECT_THAT(problem(huge, read), HasSubstr("too large")) << huge;
  EXPECT_THAT(problem("  x", read), HasSubstr("at byte 3: "));
}

TEST(JsonCursor, NullIsAMissingValue) {
  Text text("[null, 2]");
  text.cursor.expect('[');
  EXPECT_TRUE(std::isnan(text.cursor.number_or_null()));
  EXPECT_TRUE(text.cursor.next_item(']', 1));
  EXPECT_EQ(text.cursor.number_or_null(), 2.0F);
  EXPECT_FALSE(text.cursor.next_item(']', 2));
}

TEST(JsonCursor, Counts) {
  EXPECT_EQ(Text("1000000000").cursor.count(), 1'000'000'000U);
  const auto read = [](JsonCursor& cursor) { cursor.count(); };
  for (const char* wrong : {"-1", "1.0", "1e3", "1000000001", "99999999999999999999"})
    EXPECT_THAT(problem(wrong, read), HasSubstr("not a whole number")) << wrong;
}

TEST(JsonCursor, DecodesEscapes) {
  EXPECT_EQ(Text(R"("a\"\\\/\b\f\n\r\tz")").cursor.string(), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(Text(R"("\u0041\u00e9\u20AC\uD83D\uDE00")").cursor.string(), "Aé€😀");
}

TEST(JsonCursor, RefusesMalformedStrings) {
  const auto read = [](JsonCursor& cursor) { cursor.string(); };
  for (const char* wrong :
       {"\"", "\"abc", "\"abc\\", "\"abc\\\"", R"("\x")", R"("\u12")", R"("\u-123")", R"("\uD800")",
        R"("\uD800\u0041")", R"("\uDC00")", "\"a\nb\"", "abc", "\"\t\""})
    EXPECT_NE(problem(wrong, read), "") << wrong;
}

TEST(JsonCursor, SkipsAKeyBySpelling) {
  Text text(R"({"ab" : 1, "abc":2})");
  text.cursor.expect('{');
  EXPECT_FALSE(text.cursor.take_key("a"));
  EXPECT_FALSE(text.cursor.take_key("abc"));
  EXPECT_TRUE(text.cursor.take_key("ab"));
  EXPECT_EQ(text.cursor.number(), 1.0F);
  EXPECT_TRUE(text.cursor.next_item('}', 1));
  EXPECT_EQ(text.cursor.key(), "abc");
  EXPECT_EQ(text.cursor.raw_key(), "abc");
}

TEST(JsonCursor, ListsHaveACommaBetweenItemsOnly) {
  const auto read = [](JsonCursor& cursor) {
    cursor.expect('[');
    for (std::size_t n = 0; cursor.next_item(']', n); ++n) cursor.number();
  };
  for (const char* right : {"[]", "[1]", " [ 1 , 2 ] "})
    EXPECT_EQ(problem(right, read), "") << right;
  for (const char* wrong : {"[", "[,]", "[1,]", "[1 2]", "[1", "[1,", "[]]", "[1]x"})
    EXPECT_NE(problem(wrong, read), "") << wrong;
}

RC_GTEST_PROP(JsonCursor, ReadsEveryStringThatIsWritten, (const std::vector<std::uint8_t>& picks)) {
  const std::vector<std::string> kPieces = {"a", "\"", "\\", "\n", "\x01", "é", "€", "😀"};
  std::string text;
  for (const std::uint8_t pick : picks) text += kPieces[pick % kPieces.size()];
  for (const bool only_ascii : {false, true}) {
    Text json(nlohmann::json(text).dump(-1, ' ', only_ascii));
    RC_ASSERT(json.cursor.string() == text);
    json.cursor.expect_end();
  }
}

TEST(Utf8, FindsTheFirstWrongByte) {
  for (const std::string right : {"", "plain", "é€😀", "\U0010FFFF", "12345678é", "1234567é"})
    EXPECT_EQ(first_invalid_utf8(right), right.size()) << right;
  for (const std::string wrong :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
        "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(first_invalid_utf8(wrong), 0U);
    EXPECT_EQ(first_invalid_utf8("12345678é" + wrong + "rest"), 10U);
  }
}

}  // namespace
}  // namespace podium::json_cursor_test
