#include "trees/quantized_derivatives.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "trees/tree_data.h"

namespace podium::quantized_derivatives_test {
namespace {

using testing::Bench;

std::vector<std::uint32_t> draw_keys(std::size_t n) {
  Random random(9);
  std::vector<std::uint32_t> keys(n);
  for (auto& key : keys) key = static_cast<std::uint32_t>(random.next());
  return keys;
}

TEST(PackedDerivatives, AddUpFieldByField) {
  std::uint64_t word = 0;
  DerivativeSums sums;
  for (std::int64_t i = 0; i < 3000; ++i) {
    const std::int64_t g = i % 3 == 0 ? -kMostFirst : i % 5 * 100, h = i % 7 * 140;
    word += pack(g, h);
    sums += {g, h, 1};
  }
  EXPECT_EQ(unpack(word), sums);
  EXPECT_EQ(unpack(pack(-kMostFirst, kMostSecond)), (DerivativeSums{-kMostFirst, kMostSecond, 1}));
}

TEST(QuantizedDerivatives, RoundWithoutBiasAndByLessThanAUnit) {
  const std::size_t n = 500;
  const auto keys = draw_keys(n);
  Random random(2);
  std::vector<double> first, second;
  for (std::size_t i = 0; i < n; ++i) {
    first.push_back((random.uniform() - 0.5) * (i == 0 ? 200 : 1));
    second.push_back(random.uniform() * (i == 1 ? 300 : 1));
  }
  Bench bench;
  QuantizedDerivatives quantized;
  double first_error = 0, second_error = 0;
  const int rounds = 400;
  for (int round = 0; round < rounds; ++round) {
    quantized.assign(first, second, {}, keys, 0, static_cast<std::uint64_t>(round), bench.context);
    for (std::size_t d = 0; d < n; ++d) {
      const DerivativeSums sums = unpack(quantized.words()[d]);
      ASSERT_LE(std::abs(sums.first), kMostFirst);
      ASSERT_LE(sums.second, kMostSecond);
      ASSERT_GE(sums.second, 0);
      const double g = static_cast<double>(sums.first) - first[d] / quantized.first_unit();
      const double h = static_cast<double>(sums.second) - second[d] / quantized.second_unit();
      ASSERT_LT(std::abs(g), 1);
      ASSERT_LT(std::abs(h), 1);
      first_error += g;
      second_error += h;
    }
  }
  // Standard deviation of a mean of n · rounds draws: at most ½ / √(n · rounds) ≈ 0.0011.
  EXPECT_NEAR(first_error / static_cast<double>(n * rounds), 0, 0.005);
  EXPECT_NEAR(second_error / static_cast<double>(n * rounds), 0, 0.005);
}

TEST(QuantizedDerivatives, KeepEqualCurvaturesExactly) {
  const std::size_t n = 100;
  const std::vector<double> first(n, -0.3), second(n, 0.7);
  Bench bench;
  QuantizedDerivatives quantized;
  quantized.assign(first, second, {}, draw_keys(n), 0, 1, bench.context);
  EXPECT_EQ(quantized.second_unit(), 0.7);
  for (const std::uint64_t word : quantized.words()) EXPECT_EQ(unpack(word).second, 1);
  quantized.assign(first, {}, {}, draw_keys(n), 0, 1, bench.context);
  EXPECT_EQ(quantized.second_unit(), 1);
  for (const std::uint64_t word : quantized.words()) EXPECT_EQ(unpack(word).second, 1);
}

TEST(QuantizedDerivatives, HandleExtremeScales) {
  Bench bench;
  QuantizedDerivatives quantized;
  for (const double scale : {1e-300, 1e-200, 1.0, 1e200, 1.7e308}) {
    const std::vector<double> first = {scale, -scale, scale / 3}, second = {scale, 0, scale / 5};
    for (const double l2 : {0.0, 1.0}) {
      quantized.assign(first, second, {}, draw_keys(3), l2, 1, bench.context);
      EXPECT_TRUE(std::isfinite(quantized.first_unit()));
      EXPECT_TRUE(std::isfinite(l2 / quantized.second_unit()));
      for (const std::uint64_t word : quantized.words()) {
        EXPECT_LE(std::abs(unpack(word).first), kMostFirst);
        EXPECT_LE(unpack(word).second, kMostSecond);
      }
    }
  }
}

TEST(QuantizedDerivatives, RefuseNonFiniteValues) {
  Bench bench;
  QuantizedDerivatives quantized;
  const auto keys = draw_keys(3);
  const auto code_of = [&](double g, double h) {
    try {
      quantized.assign(std::vector{0.0, g, 1.0}, std::vector{1.0, 1.0, h}, {}, keys, 0, 1,
                       bench.context);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::file;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code_of(1, 1), ErrorCode::file);
  for (const double wrong : {std::nan(""), infinity, -infinity})
    EXPECT_EQ(code_of(wrong, 1), ErrorCode::training);
  for (const double wrong : {std::nan(""), infinity, -0.1})
    EXPECT_EQ(code_of(1, wrong), ErrorCode::training);
}

}  // namespace
}  // namespace podium::quantized_derivatives_test
