#include "models/linear/dense_kernels.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "support/on_each_target.h"

namespace podium::dense_kernels_test {
namespace {

// In the kernels' order: sixteen partial sums, the rest of sixteen, then of eight, features.
double product_in_order(const float* x, const std::vector<double>& w) {
  std::array<double, 16> part = {};
  const std::size_t n = w.size(), whole = n / 8 * 8;
  for (std::size_t f = 0; f < whole; ++f) {
    const bool last_eight = whole % 16 != 0 && f + 8 >= whole;
    part[last_eight ? f % 8 : f % 16] += w[f] * static_cast<double>(x[f]);
  }
  double rest = 0;
  for (std::size_t f = whole; f < n; ++f) rest += w[f] * static_cast<double>(x[f]);
  const auto s = [&](std::size_t i) { return part[i] + part[i + 8]; };
  return (((s(0) + s(4)) + (s(2) + s(6))) + ((s(1) + s(5)) + (s(3) + s(7)))) + rest;
}

class DenseKernelsOn : public testing::OnEachTarget {};
PODIUM_ON_EACH_TARGET(DenseKernelsOn);

TEST_P(DenseKernelsOn, AddsInTheStatedOrder) {
  Random random(1);
  for (const std::size_t n : {0, 1, 5, 8, 15, 16, 24, 46, 136, 300})
    for (const std::size_t rows : {1, 4, 17, 40}) {
      std::vector<float> x(rows * n);
      std::vector<double> w(n), c(rows);
      for (float& v : x) v = static_cast<float>(random.uniform() - 0.5);
      for (double& v : w) v = random.uniform() - 0.5;
      for (double& v : c) v = random.uniform() - 0.5;
      std::vector<double> products(rows), expected_products;
      std::vector<double> sums(n, 0.25), expected(n, 0.25);
      for (std::size_t r = 0; r < rows; ++r) {
        expected_products.push_back(product_in_order(x.data() + r * n, w));
        for (std::size_t f = 0; f < n; ++f) expected[f] += c[r] * static_cast<double>(x[r * n + f]);
      }
      dense_products(x.data(), rows, w.data(), products.data(), n);
      EXPECT_EQ(products, expected_products) << n << " features, " << rows << " rows";
      add_rows(x.data(), rows, c.data(), sums.data(), n);
      EXPECT_EQ(sums, expected) << n << " features, " << rows << " rows";
    }
}

}  // namespace
}  // namespace podium::dense_kernels_test
