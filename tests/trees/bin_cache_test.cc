#include "trees/bin_cache.h"

#include <gtest/gtest.h>

#include "trees/tree_data.h"

namespace podium::bin_cache_test {
namespace {

using testing::Bench;
using testing::mixed_data;

TEST(BinCache, BinsOnceForEachSeedAndNumberOfBins) {
  const Dataset data = mixed_data(6, 10, 5, 1);
  Bench bench(1);
  BinCache cache;
  BinOptions options;
  const auto first = cache.bin(data, options, bench.context);
  EXPECT_EQ(cache.bin(data, options, bench.context), first);
  options.max_bins = 7;
  EXPECT_NE(cache.bin(data, options, bench.context), first);
  options = {};
  bench.context.seed = 2;
  EXPECT_NE(cache.bin(data, options, bench.context), first);
}

}  // namespace
}  // namespace podium::bin_cache_test
