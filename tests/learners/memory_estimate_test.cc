#include "learners/memory_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/preparation_support.h"
#include "podium/learner.h"

namespace podium::memory_estimate_test {
namespace {

using ::testing::ElementsAre;
using testing::Listener;
using testing::make_dataset;

// Sparse, with nothing in it.
Dataset wide(std::size_t features) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2};
  parts.labels = std::vector<float>{0, 1};
  parts.qids = make_strings(std::vector<std::string>{"1"});
  parts.features = features;
  parts.row_begin = std::vector<std::uint64_t>{0, 0, 0};
  return Dataset(std::move(parts));
}

Settings settings_of(const std::string& learner, const Assignments& given = {}) {
  return {learners().at(learner).options(), given};
}

TEST(MemoryEstimate, KnowsEveryLearnerAndGrowsWithTheData) {
  const Dataset small = make_dataset({2}, 3, std::vector<float>(6), {0, 1});
  const Dataset larger = make_dataset({2, 2}, 6, std::vector<float>(24), {0, 1, 1, 0});
  for (const auto* entry : learners().entries()) {
    const std::string name(entry->name);
    const Settings settings = settings_of(name);
    EXPECT_GT(memory_estimate(name, settings, larger), memory_estimate(name, settings, small))
        << name;
  }
}

TEST(MemoryEstimate, OfANetworkIsThatOfItsWeights) {
  const Dataset data = wide(10);
  const auto one = memory_estimate("mlp", settings_of("mlp", {{"hidden", "1"}}), data);
  const auto two = memory_estimate("mlp", settings_of("mlp", {{"hidden", "7,3"}}), data);
  // (10 + 1)·1 + 1 + 1 weights, and (10 + 1)·7 + (7 + 1)·3 + 3 + 1
  EXPECT_EQ(two * 13, one * 105);
}

TEST(MemoryEstimate, IsSaidFromAGigabyteOn) {
  Listener listener;
  note_memory("mlp", settings_of("mlp"), wide(1000), listener);
  EXPECT_TRUE(listener.notes.empty());
  note_memory("mlp", settings_of("mlp"), wide(1'000'000), listener);
  EXPECT_THAT(listener.notes, ElementsAre("mlp with 1000000 inputs and layers of 32,16: about 3.2 "
                                          "GB of memory in addition to the data"));
}

}  // namespace
}  // namespace podium::memory_estimate_test
