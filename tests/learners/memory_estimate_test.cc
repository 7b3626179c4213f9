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

// Sparse, without values.
Dataset wide(std::size_t features) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2};
  parts.labels = std::vector<float>{0, 1};
  parts.qids = make_strings(std::vector<std::string>{"1"});
  parts.features = features;
  parts.row_begin = std::vector<std::uint64_t>{0, 0, 0};
  return Dataset(std::move(parts));
}

std::unique_ptr<const Learner> make(std::string_view name, const Assignments& given = {}) {
  const Entry<Learner>& row = learners().at(name);
  return row.make(Settings(row.options(), given));
}

std::uint64_t bytes_of(const Learner& learner, const Dataset& data) {
  return learner.memory_need(data).bytes;
}

TEST(MemoryEstimate, ExistsForEveryLearnerAndGrowsWithTheData) {
  const Dataset small = make_dataset({2}, 3, std::vector<float>(6), {0, 1});
  const Dataset larger = make_dataset({2, 2}, 6, std::vector<float>(24), {0, 1, 1, 0});
  for (const auto* entry : learners().entries()) {
    const auto learner = make(entry->name);
    EXPECT_GT(bytes_of(*learner, larger), bytes_of(*learner, small)) << entry->name;
  }
}

TEST(MemoryEstimate, EachTrainerHasItsOwn) {
  const Dataset dense = make_dataset({2, 2}, 6, std::vector<float>(24), {0, 1, 1, 0});
  const auto per_input = [&](std::string_view name) { return bytes_of(*make(name), dense) / 6; };
  EXPECT_EQ(per_input("svm-map"), 150U);
  EXPECT_EQ(per_input("linear"), 240U);
  EXPECT_EQ(per_input("smoothrank"), 240U);
  EXPECT_EQ(per_input("lambdamart"), 64U + 4);  // and one byte for each of four documents
  EXPECT_EQ(per_input("directrank-trees"), 64U + 4);
  EXPECT_EQ(per_input("rankboost"), 64U + 4 * 2);
  EXPECT_EQ(per_input("coordinate-ascent"), 64U + 4 * 4);
  EXPECT_EQ(per_input("adarank"), 80U + 2 * 16);  // two queries
  EXPECT_EQ(per_input("feature"), 64U + 2 * 16);
}

TEST(MemoryEstimate, OfANetworkIsThatOfItsWeights) {
  const Dataset data = wide(10);
  const auto one = bytes_of(*make("mlp", {{"hidden", "1"}}), data);
  const auto two = bytes_of(*make("mlp", {{"hidden", "7,3"}}), data);
  // (10 + 1)·1 + 1 + 1 weights, and (10 + 1)·7 + (7 + 1)·3 + 3 + 1
  EXPECT_EQ(two * 13, one * 105);
}

TEST(MemoryEstimate, IsNotedFromAGigabyteOn) {
  Listener listener;
  note_memory("mlp", *make("mlp"), wide(1000), listener);
  EXPECT_TRUE(listener.notes.empty());
  note_memory("mlp", *make("mlp"), wide(1'000'000), listener);
  EXPECT_THAT(listener.notes, ElementsAre("mlp with 1000000 inputs and layers of 32,16: about 3.2 "
                                          "GB of memory in addition to the data"));
}

}  // namespace
}  // namespace podium::memory_estimate_test
