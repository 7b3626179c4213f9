#include "models/importers/ubjson.h"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::ubjson_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;
using namespace std::string_literals;

std::string message(const std::string& bytes) {
  try {
    parse_ubjson(bytes, "m.ubj");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    return error.what();
  }
  return "";
}

TEST(Ubjson, ValuesOfEveryType) {
  EXPECT_EQ(parse_ubjson("Z", "m"), nullptr);
  EXPECT_EQ(parse_ubjson("T", "m"), true);
  EXPECT_EQ(parse_ubjson("F", "m"), false);
  EXPECT_EQ(parse_ubjson("i\xFF", "m"), -1);
  EXPECT_EQ(parse_ubjson("U\xFF", "m"), 255);
  EXPECT_EQ(parse_ubjson("I\xFF\xFE", "m"), -2);
  EXPECT_EQ(parse_ubjson("l\x01\x02\x03\x04", "m"), 0x01020304);
  EXPECT_EQ(parse_ubjson("L\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFD", "m"), -3);
  EXPECT_EQ(parse_ubjson("d\x3F\xC0\0\0"s, "m"), 1.5);
  EXPECT_EQ(parse_ubjson("D\xC0\x04\0\0\0\0\0\0"s, "m"), -2.5);
  EXPECT_EQ(parse_ubjson("Cx", "m"), "x");
  EXPECT_EQ(parse_ubjson("Si\x03"s + "abc", "m"), "abc");
}

TEST(Ubjson, Containers) {
  const Json expected = {1, 2, 3};
  EXPECT_EQ(parse_ubjson("[i\x01U\x02i\x03]", "m"), expected);
  EXPECT_EQ(parse_ubjson("[#i\x03i\x01U\x02i\x03", "m"), expected);
  EXPECT_EQ(parse_ubjson("[$U#L\0\0\0\0\0\0\0\x03\x01\x02\x03"s, "m"), expected);
  EXPECT_EQ(parse_ubjson("[$I#i\x03\0\x01\0\x02\0\x03"s, "m"), expected);
  EXPECT_EQ(parse_ubjson("N[Ni\x01NNi\x02i\x03N]", "m"), expected);
  EXPECT_EQ(parse_ubjson("[]", "m"), Json::array());
  EXPECT_EQ(parse_ubjson("{}", "m"), Json::object());
  EXPECT_EQ(parse_ubjson("[$d#i\0"s, "m"), Json::array());
  const Json object = {{"a", 1}, {"bc", Json::array({true})}};
  EXPECT_EQ(parse_ubjson("{i\x01"s + "ai\x01i\x02"s + "bc[T]}", "m"), object);
  EXPECT_EQ(parse_ubjson("{#i\x02i\x01"s + "ai\x01i\x02"s + "bc[T]", "m"), object);
  const Json typed = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(parse_ubjson("{$i#i\x02i\x01"s + "a\x01i\x01"s + "b\x02", "m"), typed);
  const Json rows = {{1}, {2, 3}};
  EXPECT_EQ(parse_ubjson("[$[#i\x02i\x01]$U#i\x02\x02\x03"s, "m"), rows);
}

TEST(Ubjson, DamageIsOneLine) {
  EXPECT_THAT(message(""), HasSubstr("ends too early"));
  EXPECT_THAT(message("{"), HasSubstr("ends too early"));
  EXPECT_THAT(message("[i\x01"), HasSubstr("ends too early"));
  EXPECT_THAT(message("l\x01\x02"), HasSubstr("inside a number"));
  EXPECT_THAT(message("Si\x04"s + "abc"), HasSubstr("longer than the file"));
  EXPECT_THAT(message("Si\xFF"s), HasSubstr("not a whole number"));
  EXPECT_THAT(message("Sd\0\0\0\0"s), HasSubstr("not a whole number"));
  EXPECT_THAT(message("Hi\x01"s + "1"), HasSubstr("unknown marker"));
  EXPECT_THAT(message("x"),
              HasSubstr("m.ubj: damaged UBJSON: there is an unknown marker (byte 1)"));
  EXPECT_THAT(message("[$U]"), HasSubstr("a type but no count"));
  EXPECT_THAT(message("ZZ"), HasSubstr("after the end"));
  EXPECT_THAT(message("{i\x01"s + "aZi\x01"s + "aZ}"), HasSubstr("twice"));
  EXPECT_THAT(message(std::string(1000, '[')), HasSubstr("nested too deep"));
}

// Sizes that only the file claims: nothing is allocated for them.
TEST(Ubjson, HostileSizes) {
  const std::string huge = "L\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
  EXPECT_THAT(message("S" + huge), HasSubstr("longer than the file"));
  EXPECT_THAT(message("[#" + huge), HasSubstr("larger than the file"));
  EXPECT_THAT(message("{#" + huge), HasSubstr("larger than the file"));
  EXPECT_THAT(message("[$d#" + huge), HasSubstr("larger than the file"));
  EXPECT_THAT(message("[$L#i\x02\0\0\0\0\0\0\0\x01"s), HasSubstr("larger than the file"));
  for (const char type : {'Z', 'T', 'F', 'N'})
    EXPECT_THAT(message("[$"s + type + "#" + huge), HasSubstr("takes no bytes"));
}

TEST(Ubjson, IsToldFromJson) {
  EXPECT_TRUE(is_ubjson("{L\0"s));
  EXPECT_TRUE(is_ubjson("{i\x01"s));
  EXPECT_FALSE(is_ubjson("{\"a\": 1}"));
  EXPECT_FALSE(is_ubjson("{\n \"a\": 1}"));
  EXPECT_FALSE(is_ubjson("{}"));
  EXPECT_FALSE(is_ubjson(""));
}

}  // namespace
}  // namespace podium::ubjson_test
