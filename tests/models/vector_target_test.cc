// PODIUM_SIMD reaches the kernels that Highway chooses.
#include "core/vector_target.h"

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "models/forest/fast_forest_kernels.h"

namespace podium::vector_target_test {
namespace {

[[noreturn]] void say_forest_target(const char* wanted) {
  setenv("PODIUM_SIMD", wanted, 1);
  vector_target();
  std::cerr << fast_forest_target() << "\n";
  std::exit(0);
}

TEST(VectorTargetDeathTest, SetsHighwaysTarget) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process without earlier calls
  EXPECT_EXIT(say_forest_target("baseline"), ::testing::ExitedWithCode(0),
              "^" + std::string(hwy::TargetName(HWY_STATIC_TARGET)) + "\n");
#if defined(__x86_64__)
  if (hwy::SupportedTargets() & HWY_AVX2) {
    EXPECT_EXIT(say_forest_target("avx2"), ::testing::ExitedWithCode(0), "^AVX2\n");
  }
#endif
}

}  // namespace
}  // namespace podium::vector_target_test
