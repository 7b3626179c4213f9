#include "core/printable.h"

#include <gtest/gtest.h>

namespace podium::printable_test {
namespace {

TEST(Printable, OrdinaryNamesAreUnchanged) {
  for (const char* name : {"", "bm25", "Größe", "検索", "a b", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(printable(name), name);
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");  // U+009B begins terminal commands
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
}

TEST(Printable, InvalidUtf8IsEscaped) {
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("a\xC3"), "a\\xc3");                  // ends early
  EXPECT_EQ(printable("\xC3\x1b"), "\\xc3\\x1b");           // does not hide what follows
  EXPECT_EQ(printable("\xC0\x9B"), "\\xc0\\x9b");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, DirectionCharactersAreEscaped) {
  EXPECT_EQ(printable("a\u202Eb"), "a\\xe2\\x80\\xaeb");  // reverses the text that follows
  for (const char* turn : {"\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B",
                           "\u202C", "\u202D", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    EXPECT_EQ(printable(turn).substr(0, 2), "\\x");
    EXPECT_EQ(printable_lines(turn), printable(turn));
  }
  for (const char* text : {"\u200D", "\u2010", "\u2027", "\u202F", "\u2065", "\u206A", "\u061B"})
    EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable_json("\"a\u202Eb\u2066\u061C\""), "\"a\\u202eb\\u2066\\u061c\"");
}

TEST(Printable, LaidOutTextKeepsItsLinesAndTabs) {
  EXPECT_EQ(printable_lines("a\tb\n\x1b[1m"), "a\tb\n\\x1b[1m");
}

TEST(Printable, JsonStaysJson) {
  EXPECT_EQ(printable_json("{\"a\": \"\x7f\xC2\x9B\xC3\xA9\"}\n"),
            "{\"a\": \"\\u007f\\u009b\xC3\xA9\"}\n");
}

}  // namespace
}  // namespace podium::printable_test
