#include "core/short_number.h"

#include <bit>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace podium::short_number_test {
namespace {

// The text in a line, followed by as many bytes as scanners may read.
std::string in_line(const std::string& text) {
  return text + " 7:0.25\n" + std::string(8, '9');
}

// If the text is read as a short number and followed by white space, end and bits are scan_float's.
void expect_as_scan_float(const std::string& text) {
  const std::string line = in_line(text);
  const ShortNumber number = scan_short(line.data());
  if (number.size == 0 || line[number.size] != ' ') return;
  const FloatScan scan = scan_float(line.data());
  ASSERT_EQ(scan.status, ScanStatus::number) << '\'' << text << '\'';
  EXPECT_EQ(scan.end - line.data(), static_cast<std::ptrdiff_t>(number.size)) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(scan.value), std::bit_cast<std::uint32_t>(number.value))
      << text;
}

TEST(ScanShort, AcceptsTheUsualNumbers) {
  for (const char* text :
       {"0", "-0", "1", "53", "-6.2444", "0.485149", "-12.3456", "12345678", "1.", "-1.", "007",
        "0.000000", "9999999.", "99999999", "-123456", "-12345.6"}) {
    const std::string line = in_line(text);
    const ShortNumber number = scan_short(line.data());
    EXPECT_EQ(number.size, std::string(text).size()) << text;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(number.value),
              std::bit_cast<std::uint32_t>(std::strtof(text, nullptr)))
        << text;
  }
}

TEST(ScanShort, RejectsOtherNumbers) {
  for (const char* text : {"",
                           "-",
                           ".",
                           ".5",
                           "+1",
                           "-.5",
                           "--1",
                           "1e3",
                           "nan",
                           "NULL",
                           "inf",
                           "1-",
                           "1/2",
                           "1,5",
                           "1+1",
                           "1.2.3",
                           "1..",
                           "0x1",
                           "1#",
                           "\xC3\xA9",
                           "1\xC3\xA9",
                           "9\xFF"
                           "9"})
    EXPECT_EQ(scan_short(in_line(text).data()).size, 0U) << text;
  // Halfway between two floats.
  EXPECT_EQ(scan_short(in_line("16777217").data()).size, 0U);
  EXPECT_EQ(scan_short(in_line("-1234567").data()).size, 0U);
  // Too long: of nine characters, the eighth is not followed by white space.
  const std::string longer = in_line("123456789");
  EXPECT_NE(longer[scan_short(longer.data()).size], ' ');
}

TEST(ScanShort, AgreesWithScanFloatOnEveryForm) {
  for (int digits = 1; digits <= 8; ++digits)
    for (int point = 0; point <= digits; ++point)
      for (const char* sign : {"", "-", "+"})
        for (const char* all : {"00000000", "12345678", "99999999", "10000001", "33554433"})
          expect_as_scan_float(sign + std::string(all)
                                          .substr(0, static_cast<std::size_t>(digits))
                                          .insert(static_cast<std::size_t>(point), "."));
}

RC_GTEST_PROP(ScanShort, IsScanFloatOnAnyText, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(
      std::string("0123456789012345678901234567890123456789..--+e/,*'& \t\x01n")));
  expect_as_scan_float(text);
}

}  // namespace
}  // namespace podium::short_number_test
