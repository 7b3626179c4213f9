#include "solvers/ridge.h"

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "solvers/conjugate_gradient.h"

namespace podium::ridge_test {
namespace {

// A = Bᵀ B of random B with `rows` rows, so its rank is at most `rows`.
std::vector<double> gram(std::size_t n, std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> b(rows * n), a(n * n);
  for (double& x : b) x = random.uniform() - 0.5;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t r = 0; r < rows; ++r) a[i * n + j] += b[r * n + i] * b[r * n + j];
  return a;
}

std::vector<double> multiply(const std::vector<double>& a, std::span<const double> x,
                             double lambda) {
  const std::size_t n = x.size();
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = lambda * x[i];
    for (std::size_t j = 0; j < n; ++j) out[i] += a[i * n + j] * x[j];
  }
  return out;
}

TEST(RidgePath, SolvesForEveryLambda) {
  const std::size_t n = 12;
  const auto a = gram(n, 30, 1);
  const std::vector<double> b = {1, -2, 3, 0, 5, -1, 2, 2, 0.5, -0.5, 4, 1};
  const RidgePath path(a, b);
  for (const double lambda : {0.0, 1e-3, 1.0, 100.0}) {
    const auto x = path.solve(lambda);
    const auto image = multiply(a, x, lambda);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(image[i], b[i], 1e-9) << lambda;
  }
}

TEST(RidgePath, SingularDirectionsGetZero) {
  const std::vector<double> a = {2, 0, 0, 0};
  const auto x = RidgePath(a, std::vector<double>{4, 1}).solve(0);
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_EQ(x[1], 0);
}

TEST(ConjugateGradient, AgreesWithTheDecomposition) {
  const std::size_t n = 20;
  const auto a = gram(n, 8, 2);  // rank 8: λ makes it definite
  std::vector<double> b(n);
  Random random(3);
  for (double& x : b) x = random.uniform();
  const double lambda = 0.1;
  const auto exact = RidgePath(a, b).solve(lambda);
  const auto solution = conjugate_gradient(
      [&](std::span<const double> x) { return multiply(a, x, lambda); }, b, {}, 1e-12, 1000);
  EXPECT_LT(solution.residual, 1e-12);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(solution.x[i], exact[i], 1e-9);
}

// The machine's cache sizes must not affect the order of sums in Eigen's products: see
// CMakeLists.txt.
TEST(RidgePath, DoesNotDependOnCacheSizes) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32 * 1024);
  EXPECT_EQ(Eigen::l2CacheSize(), 256 * 1024);
  EXPECT_EQ(Eigen::l3CacheSize(), 2 * 1024 * 1024);
}

TEST(ConjugateGradient, StopsAtTheLimitAndStartsWarm) {
  const auto a = gram(30, 60, 4);
  const std::vector<double> b(30, 1.0);
  const auto product = [&](std::span<const double> x) { return multiply(a, x, 0); };
  EXPECT_EQ(conjugate_gradient(product, b, {}, 1e-14, 3).iterations, 3);
  const auto cold = conjugate_gradient(product, b, {}, 1e-10, 1000);
  EXPECT_EQ(conjugate_gradient(product, b, cold.x, 1e-8, 1000).iterations, 0);
  EXPECT_EQ(conjugate_gradient(product, std::vector<double>(30), {}, 1e-8, 10).x,
            std::vector<double>(30));
}

}  // namespace
}  // namespace podium::ridge_test
