#include "core/vector_target.h"

#include <gmock/gmock.h>

#include "podium/error.h"

namespace podium::vector_target_test {
namespace {

using ::testing::ThrowsMessage;

TEST(VectorTarget, IsTheWidestUnlessNamed) {
  for (const VectorTarget widest :
       {VectorTarget::baseline, VectorTarget::avx2, VectorTarget::avx512}) {
    EXPECT_EQ(choose_vector_target("", widest), widest);
    EXPECT_EQ(choose_vector_target("baseline", widest), VectorTarget::baseline);
  }
  EXPECT_EQ(choose_vector_target("avx2", VectorTarget::avx512), VectorTarget::avx2);
  EXPECT_EQ(choose_vector_target("avx512", VectorTarget::avx512), VectorTarget::avx512);
}

TEST(VectorTarget, RefusesUnsupportedTargets) {
  EXPECT_THAT([] { choose_vector_target("avx512", VectorTarget::avx2); },
              ThrowsMessage<Error>("PODIUM_SIMD=avx512: this machine has no AVX-512; its widest is "
                                   "avx2"));
  EXPECT_THAT([] { choose_vector_target("AVX2", VectorTarget::avx512); },
              ThrowsMessage<Error>("PODIUM_SIMD=AVX2 is not one of baseline, avx2, avx512"));
}

}  // namespace
}  // namespace podium::vector_target_test
