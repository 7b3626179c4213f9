#include "models/linear/dense_kernels.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "models/linear/dense_kernels_targets.h"

namespace podium::dense_kernels_test {
namespace {

struct Target {
  const char* name;
  bool usable;
  double (*dot)(const float*, const double*, std::size_t);
  void (*add_rows)(const float*, std::size_t, const double*, double*, std::size_t);
};

std::vector<Target> targets() {
  std::vector<Target> all = {{"baseline", true, baseline::dot, baseline::add_rows}};
#if defined(__x86_64__)
  all.push_back({"avx2", __builtin_cpu_supports("avx2") != 0, avx2::dot, avx2::add_rows});
  all.push_back({"avx512", __builtin_cpu_supports("avx512f") != 0, avx512::dot, avx512::add_rows});
#endif
  return all;
}

TEST(DenseKernels, EveryTargetGivesTheSameBitsAndTheRightSums) {
  Random random(1);
  for (const std::size_t n : {0, 1, 5, 8, 15, 16, 24, 46, 136, 300})
    for (const std::size_t rows : {1, 4, 17, 40}) {
      std::vector<float> x(rows * n);
      std::vector<double> w(n), c(rows);
      for (float& v : x) v = static_cast<float>(random.uniform() - 0.5);
      for (double& v : w) v = random.uniform() - 0.5;
      for (double& v : c) v = random.uniform() - 0.5;
      double dot = 0;
      for (std::size_t f = 0; f < n; ++f) dot += w[f] * x[f];
      std::vector<double> sums(n, 0.25), expected(n, 0.25);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t f = 0; f < n; ++f) expected[f] += c[r] * static_cast<double>(x[r * n + f]);
      const double reference = baseline::dot(x.data(), w.data(), n);
      EXPECT_NEAR(reference, dot, 1e-12);
      for (const Target& target : targets()) {
        if (!target.usable) continue;
        EXPECT_EQ(target.dot(x.data(), w.data(), n), reference) << target.name;
        sums.assign(n, 0.25);
        target.add_rows(x.data(), rows, c.data(), sums.data(), n);
        EXPECT_EQ(sums, expected) << target.name << " n " << n << " rows " << rows;
      }
    }
}

}  // namespace
}  // namespace podium::dense_kernels_test
