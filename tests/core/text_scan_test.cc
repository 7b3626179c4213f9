#include "core/text_scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::text_scan_test {
namespace {

struct Result {
  FloatScan scan;
  std::size_t length;
};

Result scan(std::string text) {
  const std::size_t size = text.size();
  text += '\n';
  text.append(8, '9');
  const FloatScan result = scan_float(text.data());
  const auto length = static_cast<std::size_t>(result.end - text.data());
  EXPECT_LE(length, size) << text;
  return {result, length};
}

// The nearest float as strtof computes it, which glibc rounds correctly.
void expect_exact(const std::string& text) {
  const float expected = std::strtof(text.c_str(), nullptr);
  const Result result = scan(text);
  ASSERT_EQ(result.length, text.size()) << text;
  if (std::isinf(expected)) {
    EXPECT_EQ(result.scan.status, ScanStatus::overflow) << text;
    return;
  }
  EXPECT_EQ(result.scan.status, ScanStatus::number) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(result.scan.value), std::bit_cast<std::uint32_t>(expected))
      << text;
}

TEST(ScanFloat, ReadsOrdinaryNumbers) {
  for (const char* text : {"0",
                           "1",
                           "-1",
                           "+1",
                           "0.5",
                           ".5",
                           "5.",
                           "-0",
                           "0.128205",
                           "1.000000",
                           "123456",
                           "1234567.875",
                           "-17.25",
                           "1e3",
                           "1E-5",
                           "1e+05",
                           "2.5e-3",
                           "007",
                           "0.0",
                           "00000000000000000000000000000001",
                           "0.00000000000000000000000001"})
    expect_exact(text);
}

TEST(ScanFloat, RoundsLongAndExtremeNumbersExactly) {
  for (const char* text : {"16777217",
                           "16777217.0000000000000000000000001",
                           "16777219",
                           "0.1000000014901161193847656250",
                           "1.00000005960464477539062500",
                           "1.00000005960464477539062501",
                           "3.4028235e38",
                           "3.4028236e38",
                           "1e39",
                           "1e400",
                           "1e-45",
                           "7e-46",
                           "7.1e-46",
                           "1e-50",
                           "1e-400",
                           "0e999999999999999999999",
                           "1.1754944e-38",
                           "1.1754942e-38",
                           "5.877472e-39",
                           "9007199254740993",
                           "18446744073709551615",
                           "18446744073709551616",
                           "123456789012345678901234567890",
                           "1e99999999999999999999",
                           "1e-99999999999999999999",
                           "0.000000000000000000000000000000000000000000001e45"})
    expect_exact(text);
}

TEST(ScanFloat, ReadsMissingAndInfinite) {
  for (const char* text : {"nan", "NaN", "NAN", "-nan", "NULL", "null"}) {
    const Result result = scan(text);
    EXPECT_EQ(result.scan.status, ScanStatus::missing) << text;
    EXPECT_TRUE(std::isnan(result.scan.value));
    EXPECT_EQ(result.length, std::string(text).size());
  }
  for (const char* text : {"inf", "-inf", "+Infinity", "INF"})
    EXPECT_EQ(scan(text).scan.status, ScanStatus::infinite) << text;
}

TEST(ScanFloat, RefusesOtherText) {
  for (const char* text :
       {"", "-", "+", ".", "-.", "e5", "1e", "1e+", "abc", "--1", "+-1", "-NULL"})
    EXPECT_EQ(scan(text).scan.status, ScanStatus::malformed) << text;
}

TEST(ScanFloat, StopsAfterTheNumber) {
  EXPECT_EQ(scan("1.5 2").length, 3U);
  EXPECT_EQ(scan("1.5.5").length, 3U);
  EXPECT_EQ(scan("0x10").length, 1U);
  EXPECT_EQ(scan("12345678:9").length, 8U);
  EXPECT_EQ(scan("1.12345678#").length, 10U);
  EXPECT_EQ(scan("1\xFF").length, 1U);
}

TEST(ScanFloat, FloatsReadBackInEveryNotation) {
  Random random(3);
  for (int i = 0; i < 50'000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    if (!std::isfinite(value)) continue;
    for (const char* format : {"{}", "{:.9g}", "{:.17g}", "{:.8e}", "{:.60f}"})
      expect_exact(fmt::format(fmt::runtime(format), value));
  }
}

TEST(ScanFloat, AgreesWithStrtofOnRandomDecimals) {
  Random random(7);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random.below(2) ? "-" : "";
    for (std::uint64_t n = random.below(12); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    text += '.';
    for (std::uint64_t n = 1 + random.below(14); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(4) == 0) text += fmt::format("e{}", static_cast<int>(random.below(90)) - 45);
    expect_exact(text);
  }
}

// Decimals at and around the midpoints of neighbouring floats: the hard cases of rounding twice.
TEST(ScanFloat, RoundsMidpointsToEven) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto low = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(0x7F000000)));
    const float high = std::nextafter(low, INFINITY);
    const double middle = (static_cast<double>(low) + static_cast<double>(high)) / 2;
    for (const double near :
         {std::nextafter(middle, 0.0), middle, std::nextafter(middle, INFINITY)}) {
      expect_exact(fmt::format("{:.17g}", near));
      expect_exact(fmt::format("{:.50e}", near));
    }
    if (middle > 1e-6 && middle < 1e9) {
      const std::string exact = fmt::format("{:.60f}", middle);
      expect_exact(exact);
      expect_exact(exact + "1");
    }
  }
}

TEST(ParseDouble, AcceptsOnlyCompleteFiniteNumbers) {
  double value = 0;
  for (const char* const tiny : {"1e-400", "4.9e-330", "0.0000001e-320"}) {
    EXPECT_TRUE(parse_double(tiny, value)) << tiny;
    EXPECT_EQ(value, 0) << tiny;
  }
  EXPECT_TRUE(parse_double("-1e-400", value));
  EXPECT_TRUE(value == 0 && std::signbit(value));
  EXPECT_TRUE(parse_double("+1.5e300", value));
  EXPECT_EQ(value, 1.5e300);
  for (const char* text : {"", "nan", "inf", "1.5x", "+-1", "1e999", " 1"})
    EXPECT_FALSE(parse_double(text, value)) << text;
}

// The fast path and the general one, on numbers of all forms, followed by other text.
TEST(ScanDouble, AgreesWithParseDouble) {
  Random random(17);
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    if (random.below(4) == 0) text += "+-x"[random.below(3)];
    for (std::uint64_t n = random.below(21); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(2)) text += '.';
    for (std::uint64_t n = random.below(12); n > 0; --n)
      text += static_cast<char>('0' + random.below(10));
    if (random.below(8) == 0) text += fmt::format("e{}", static_cast<int>(random.below(700)) - 350);
    const std::string line = text + " 123456789\n" + std::string(64, '7');
    double quick = 0, general = 0;
    const bool is_number = scan_double({line.data(), text.size()}, quick);
    ASSERT_EQ(is_number, parse_double(text, general)) << text;
    if (is_number) {
      ASSERT_EQ(general, std::strtod(text.c_str(), nullptr)) << text;
    }
    ASSERT_EQ(std::bit_cast<std::uint64_t>(is_number ? quick : 0),
              std::bit_cast<std::uint64_t>(is_number ? general : 0))
        << text;
  }
}

TEST(WordEnd, StopsAtBlanksAndLineEndsOnly) {
  Random random(19);
  for (int i = 0; i < 100'000; ++i) {
    std::string line;
    for (std::uint64_t n = random.below(30); n > 0; --n)
      line += random.below(3) ? static_cast<char>(random.below(256))
                              : "\x01\x08\x0E\x1F!a\x7F\x80\xFF"[random.below(9)];
    line += "\n" + std::string(64, '\n');
    const auto end =
        std::find_if(line.begin(), line.end(), [](char c) { return is_blank(c) || c == '\n'; });
    const char* const begin = line.data();
    ASSERT_EQ(word_end(begin, begin + line.size() - 64) - begin, end - line.begin());
    const auto limit = static_cast<std::ptrdiff_t>(random.below(12));
    ASSERT_EQ(word_end(begin, begin + limit) - begin, std::min(limit, end - line.begin()));
  }
}

}  // namespace
}  // namespace podium::text_scan_test
