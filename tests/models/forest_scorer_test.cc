// The contract of forest_scorer.h, for every device of this build.
#include "models/forest/forest_scorer.h"

#include <gtest/gtest.h>

#include "models/forest/forest.h"
#include "models/forest_support.h"
#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::forest_scorer_test {
namespace {

using testing::Bench;

class ForestScorerOn : public ::testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, ForestScorerOn,
                         ::testing::Values(Device{}, Device{Device::Kind::emulated}),
                         [](const auto& info) { return std::string(to_text(info.param)); });

std::vector<double> copy_of(std::span<const double> values) {
  return {values.begin(), values.end()};
}

// The outputs from walking each tree.
std::vector<double> walk(const Forest& forest, const Dataset& data, std::vector<double> outputs) {
  const std::size_t width = forest.base.size();
  std::vector<float> row(data.features());
  for (std::size_t i = 0; i < data.documents(); ++i) {
    data.rows(0, data.documents()).copy(i, row);
    for (std::size_t t = 0; t < forest.trees.size(); ++t)
      outputs[i * width + t % width] +=
          forest.trees[t].values[find_leaf(forest.trees[t], row.data())];
  }
  return outputs;
}

TEST_P(ForestScorerOn, AddsTreesToTheOutputsSoFar) {
  Random random(1);
  const Link link{Link::Kind::softmax, {0, 1, 2}};
  const Forest forest = testing::random_forest(4, 40, 9, link, random);  // four trees per output
  ASSERT_EQ(forest.trees.size() % 3, 0U);
  const Dataset data = testing::random_data(300, 9, random);
  Bench bench(2);
  bench.context.device = GetParam();
  const auto scorer = make_forest_scorer(data, 3, bench.context);
  const std::vector<double> none(900), some(900, 0.25);
  scorer->start(none);
  scorer->add(forest.trees);
  EXPECT_EQ(copy_of(scorer->outputs()), walk(forest, data, none));
  scorer->start(some);
  EXPECT_EQ(copy_of(scorer->outputs()), some);
  for (std::size_t t = 0; t < forest.trees.size(); t += 3)
    scorer->add(std::span(forest.trees).subspan(t, 3));
  EXPECT_EQ(copy_of(scorer->outputs()), walk(forest, data, some));
}

TEST(ForestScorer, AGpuThatIsNotThereIsAnError) {
  Random random(2);
  Bench bench;
  bench.context.device = {Device::Kind::cuda, 99};
  EXPECT_THROW(make_forest_scorer(testing::random_data(3, 2, random), 1, bench.context), Error);
}

}  // namespace
}  // namespace podium::forest_scorer_test
