// The contract of forest_scorer.h, for every device of this build.
#include "models/forest/forest_scorer.h"

#include <cmath>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "models/forest/device/device_forest_scorer.h"
#include "models/forest/device/resident_forest.h"
#include "models/forest/forest.h"
#include "models/forest_support.h"
#include "podium/compiled_model.h"
#include "podium/error.h"
#include "support/test_device.h"
#include "support/toy_data.h"

namespace podium::forest_scorer_test {
namespace {

using testing::Bench;

class ForestScorerOn : public ::testing::TestWithParam<Device> {};
INSTANTIATE_TEST_SUITE_P(Devices, ForestScorerOn,
                         ::testing::Values(Device{}, testing::test_device()), [](const auto& info) {
                           return std::string(info.param.kind == Device::Kind::cpu ? "cpu"
                                                                                   : "device");
                         });

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
  const auto scorer = make_forest_scorer(data, 3, ScorerUse::often, bench.context);
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

// One add() of the whole forest, and one per round.
void expect_walked(const Forest& forest, const Dataset& data, ForestScorer& scorer) {
  const std::size_t width = forest.base.size();
  const std::vector<double> first(data.documents() * width, 0.125);
  const std::vector<double> expected = walk(forest, data, first);
  scorer.start(first);
  scorer.add(forest.trees);
  EXPECT_EQ(copy_of(scorer.outputs()), expected);
  scorer.start(first);
  for (std::size_t t = 0; t < forest.trees.size(); t += width)
    scorer.add(std::span(forest.trees).subspan(t, width));
  EXPECT_EQ(copy_of(scorer.outputs()), expected);
}

struct Case {
  std::size_t documents, features, trees, leaves, outputs;
};
const Case kCases[] = {
    {1, 1, 1, 1, 1},         // one leaf, no node
    {127, 9, 30, 20, 1},     // not a full block
    {300, 9, 13, 40, 3},     // outputs in turn
    {200, 130, 40, 31, 1},   // 64 documents have their columns in shared memory
    {100, 300, 40, 31, 1},   // 32 have
    {150, 1500, 60, 60, 1},  // none have
    {140, 5, 3, 2000, 1},    // deep: chains of 2,000 nodes
    {0, 9, 5, 10, 1},        // nothing to score
    {90, 9, 0, 10, 1},       // no trees
    {65, 4, 9, 1, 1},        // trees without nodes
};

Forest forest_of(const Case& given, Random& random) {
  const Link links[] = {{}, {}, {}, {Link::Kind::softmax, {0, 1, 2}}};
  return testing::random_forest(given.trees, given.leaves, given.features, links[given.outputs],
                                random);
}

TEST_P(ForestScorerOn, ScoresDenseAndSparseData) {
  Random random(3);
  Bench bench(2);
  bench.context.device = GetParam();
  for (const Case& given : kCases) {
    const Forest forest = forest_of(given, random);
    const Dataset dense = testing::random_data(given.documents, given.features, random);
    expect_walked(forest, dense,
                  *make_forest_scorer(dense, given.outputs, ScorerUse::often, bench.context));
    for (const float absent : {0.0F, std::nanf("")}) {
      const Dataset sparse = testing::to_sparse_rows(dense, absent);
      expect_walked(forest, sparse,
                    *make_forest_scorer(sparse, given.outputs, ScorerUse::often, bench.context));
    }
  }
}

// Small codes are bits, large ones lists.
TEST_P(ForestScorerOn, TestsCategories) {
  Random random(4);
  Bench bench;
  bench.context.device = GetParam();
  for (const std::size_t codes : {2, 40, 5000}) {
    Forest forest = testing::random_forest(20, 20, 6, {}, random);
    testing::make_category(forest, 2, codes, random);
    if (codes == 5000)
      for (Tree& tree : forest.trees)
        for (auto& set : tree.categories)
          if (set.size() > 3) set = {set[0], set[1], set.back()};
    const Dataset data =
        testing::with_codes(testing::random_data(400, 6, random), 2, codes, random);
    expect_walked(forest, data, *make_forest_scorer(data, 1, ScorerUse::often, bench.context));
    // Numbers that are no codes: negative, fractions, infinite.
    const Dataset odd = testing::random_data(400, 6, random);
    expect_walked(forest, odd, *make_forest_scorer(odd, 1, ScorerUse::often, bench.context));
  }
}

// One forest, batch after batch, of every size around a piece, and from several threads.
TEST(ResidentForest, GivesTheBitsOfWalkingForEveryBatch) {
  Random random(11);
  for (const std::size_t trees : {0, 2, 30}) {  // without and with columns in shared memory
    Forest forest = testing::random_forest(trees, 20, 300, {}, random);
    if (trees > 0) testing::make_category(forest, 2, 40, random);
    ResidentForest resident(forest, testing::open_test_queue(RunOrder::backwards));
    for (const std::size_t documents : {1, 63, 64, 65, 9000}) {
      const Dataset data =
          testing::with_codes(testing::random_data(documents, 300, random), 2, 40, random);
      std::vector<double> sums(documents, 0.25);
      const auto expected = walk(forest, data, sums);
      resident.add_to(sums, data);
      EXPECT_EQ(sums, expected) << trees << " trees, " << documents << " documents";
    }
  }
}

TEST(ResidentForest, ThreadsTakeTurns) {
  Random random(12);
  const Forest forest = testing::random_forest(20, 20, 9, {}, random);
  ResidentForest resident(forest, testing::open_test_queue(RunOrder::forwards));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&forest, &resident, t] {
      Random own(20 + static_cast<std::uint64_t>(t));
      for (std::size_t documents = 50; documents < 400; documents += 70) {
        const Dataset data = testing::random_data(documents, 9, own);
        std::vector<double> sums(documents);
        const auto expected = walk(forest, data, sums);
        resident.add_to(sums, data);
        EXPECT_EQ(sums, expected);
      }
    });
}

// Large batches go to the device, small ones do not, and no bit tells which did.
TEST(ResidentForest, ServesCompiledModels) {
  Random random(13);
  SavedModel saved;
  saved.model = testing::random_forest(30, 20, 6, {}, random);
  for (int f = 1; f <= 6; ++f) saved.features.push_back(std::to_string(f));
  const CompiledModel on_cpu(saved), on_device(saved, testing::test_device());
  EXPECT_FALSE(on_cpu.uses_device());
  EXPECT_TRUE(on_device.uses_device());
  for (const std::size_t documents : {20, 1023, 1024, 3000}) {
    const Dataset data = testing::random_data(documents, 6, random);
    EXPECT_EQ(on_device.score(data), on_cpu.score(data)) << documents;
  }
  saved.model = Linear{.weights = std::vector<double>(6, 0.5)};
  EXPECT_FALSE(CompiledModel(saved, testing::test_device()).uses_device());
}

TEST_P(ForestScorerOn, WideSparseData) {
  constexpr std::uint32_t kFeatures = 2'000'000;
  Random random(5);
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t i = 0; i < 200; ++i) {
    std::set<std::uint32_t> row;
    for (int n = 0; n < 10; ++n) row.insert(static_cast<std::uint32_t>(random.below(50)) * 40'000);
    for (const std::uint32_t column : row) {
      columns.push_back(column);
      values.push_back(testing::random_value(random));
    }
    begin.push_back(columns.size());
  }
  parts.query_begin = std::vector<std::uint64_t>{0, 200};
  parts.qids = make_strings(std::vector<std::string>{"q"});
  parts.labels = std::vector<float>(200);
  parts.features = kFeatures;
  parts.row_begin = std::move(begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  const Dataset data(std::move(parts));
  Forest forest = testing::random_forest(20, 20, 50, {}, random);
  forest.features = kFeatures;
  for (Tree& tree : forest.trees)
    for (Tree::Node& node : tree.nodes) node.feature *= 40'000;
  Bench bench(2);
  bench.context.device = GetParam();
  expect_walked(forest, data, *make_forest_scorer(data, 1, ScorerUse::often, bench.context));
}

// Columns that do not fit are sent in slices of documents, or replace others.
TEST(DeviceForestScorer, DataThatDoesNotFit) {
  Random random(6);
  Bench bench(2);
  const Forest forest = testing::random_forest(30, 12, 40, {}, random);
  const Dataset data = testing::random_data(1000, 40, random);
  for (const std::size_t columns_that_fit : {0, 3, 7, 15, 39, 40}) {
    for (const RunOrder order : {RunOrder::forwards, RunOrder::backwards}) {
      DeviceForestScorer scorer(data, 1, testing::open_test_queue(order), bench.context,
                                columns_that_fit * data.documents() * sizeof(float));
      expect_walked(forest, data, scorer);
    }
  }
}

TEST(ForestScorer, AGpuThatIsNotThereIsAnError) {
  Random random(2);
  Bench bench;
  bench.context.device = {Device::Kind::cuda, 99};
  EXPECT_THROW(
      make_forest_scorer(testing::random_data(3, 2, random), 1, ScorerUse::often, bench.context),
      Error);
}

}  // namespace
}  // namespace podium::forest_scorer_test
