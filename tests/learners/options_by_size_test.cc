#include "learners/boosting/options_by_size.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "learners/train_on_toys.h"
#include "podium/error.h"

namespace podium::options_by_size_test {
namespace {

using testing::Bench;
using testing::noisy_linear;

TEST(OptionsBySize, LeavesGrowWithTheRootOfTheDocuments) {
  EXPECT_EQ(leaves_by_size(0), 6);
  EXPECT_EQ(leaves_by_size(9'000), 6);
  EXPECT_EQ(leaves_by_size(42'000), 13);
  EXPECT_EQ(leaves_by_size(240'000), 31);
  EXPECT_EQ(leaves_by_size(100'000'000), 31);
}

TEST(OptionsBySize, GivenLeavesAreKept) {
  const Dataset data = noisy_linear(40, 10, 2, 1);
  Bench bench;
  BoostingOptions options;
  options.leaves = 17;
  EXPECT_EQ(options_by_size(options, data, bench.context).leaves, 17);
  options.leaves = 0;
  EXPECT_EQ(options_by_size(options, data, bench.context).leaves, 6);
  options.leaves = 1;
  EXPECT_THROW(options_by_size(options, data, bench.context), Error);
}

TEST(OptionsBySize, ObliviousTreesHaveADepth) {
  const Dataset data = noisy_linear(40, 10, 2, 1);
  Bench bench;
  const auto depth = [&](std::int64_t max_depth, std::int64_t leaves) {
    BoostingOptions options;
    options.oblivious = true;
    options.max_depth = max_depth;
    options.leaves = leaves;
    const BoostingOptions settled = options_by_size(options, data, bench.context);
    EXPECT_EQ(settled.leaves, std::int64_t{1} << settled.max_depth);
    return settled.max_depth;
  };
  EXPECT_EQ(depth(0, 0), 6);
  EXPECT_EQ(depth(3, 0), 3);
  EXPECT_EQ(depth(0, 31), 4);
  EXPECT_EQ(depth(3, 31), 3);
  EXPECT_EQ(depth(8, 32), 5);
  EXPECT_EQ(depth(16, 0), 16);
  EXPECT_THROW(depth(17, 0), Error);
}

TEST(OptionsBySize, ChosenLeavesAreReported) {
  const Dataset data = noisy_linear(40, 10, 2, 1);
  using Chosen = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(testing::train("mart", data, {{"trees", "2"}}).chosen, (Chosen{{"leaves", 6}}));
  EXPECT_EQ(testing::train("mart", data, {{"trees", "2"}, {"bag", "2"}}).chosen,
            (Chosen{{"leaves", 6}}));
  EXPECT_EQ(testing::train("mart", data, {{"trees", "2"}, {"leaves", "5"}}).chosen, Chosen());
}

// Ranks choose by the documents of all.
TEST(OptionsBySize, CountsTheDocumentsOfAllRanks) {
  const Dataset data = noisy_linear(200, 60, 1, 1);  // 12,000 documents, 36,000 on three ranks
  run_in_threads(3, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer observer;
    Context context{1, pool, comm, observer};
    EXPECT_EQ(options_by_size({}, data, context).leaves, 12);
  });
}

}  // namespace
}  // namespace podium::options_by_size_test
