#include "data/present_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/preparation_support.h"

namespace podium::present_features_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kMissing;
using testing::Listener;
using testing::make_dataset;
using testing::same_values;
using testing::to_sparse;

// One query; the given columns have values, the others none.
Dataset wide(std::size_t features, const std::vector<std::vector<std::uint32_t>>& rows,
             float absent = 0) {
  std::vector<float> values(rows.size() * features, absent);
  for (std::size_t d = 0; d < rows.size(); ++d)
    for (const std::uint32_t f : rows[d])
      values[d * features + f] = static_cast<float>(1 + 10 * d + f);
  return to_sparse(make_dataset({rows.size()}, features, values, std::vector<float>(rows.size())),
                   absent);
}

TEST(PresentFeatures, AreThoseOfSomeDocumentUnderTheirNames) {
  Bench bench;
  for (const float absent : {0.0F, kMissing}) {
    const Dataset data = wide(1000, {{0, 999}, {3}}, absent);
    const Dataset present = with_present_features(data, bench.context);
    EXPECT_THAT(present.feature_names(), ElementsAre("1", "4", "1000"));
    EXPECT_TRUE(same_values(all_values(present), {1, absent, 1000, absent, 14, absent}));
    EXPECT_EQ(present.labels().size(), 2U);
  }
}

TEST(PresentFeatures, AreAllIfHalfArePresent) {
  Bench bench;
  const Dataset half = wide(6, {{0, 1}, {5}});
  EXPECT_EQ(with_present_features(half, bench.context).features(), 6U);
  const Dataset fewer = wide(7, {{0, 1}, {6}});
  EXPECT_EQ(with_present_features(fewer, bench.context).features(), 3U);
}

TEST(PresentFeatures, DenseAndEmptyDataAreUnchanged) {
  Bench bench;
  const Dataset dense = make_dataset({2}, 5, std::vector<float>(10), {0, 1});
  EXPECT_EQ(with_present_features(dense, bench.context).features(), 5U);
  EXPECT_EQ(with_present_features(wide(9, {{}, {}}), bench.context).features(), 9U);
}

// All ranks get inputs for the features of any rank; together they may have half of them.
TEST(PresentFeatures, AreThoseOfAllRanks) {
  const std::vector<Dataset> shares = {wide(8, {{0}}), wide(8, {{0, 7}}), wide(8, {{}})};
  std::vector<std::vector<std::string>> names(3);
  const auto run = [&](const std::vector<Dataset>& of_ranks) {
    run_in_threads(3, [&](Communicator& comm) {
      ThreadPool pool(1);
      Observer silent;
      Context context{1, pool, comm, silent};
      const auto rank = static_cast<std::size_t>(comm.rank());
      names[rank] = with_present_features(of_ranks[rank], context).feature_names();
    });
  };
  run(shares);
  for (const auto& of_rank : names) EXPECT_THAT(of_rank, ElementsAre("1", "8"));
  run({wide(8, {{0, 1, 2}}), wide(8, {{3}}), wide(8, {{}})});
  for (const auto& of_rank : names) EXPECT_EQ(of_rank.size(), 8U);
}

TEST(TrainingTransform, NamesThePresentFeaturesWithANote) {
  Bench bench;
  Listener listener;
  Context context{1, bench.context.pool, bench.context.comm, listener};
  const Dataset data = wide(1'000'000, {{0, 7}, {999'999}});
  TransformOptions steps;
  EXPECT_THAT(fit_training_transform(steps, data, context).features,
              ElementsAre("1", "8", "1000000"));
  EXPECT_THAT(listener.notes, ElementsAre(HasSubstr("3 of 1000000 features")));
  steps.bins = 2;
  const Transform binned = fit_training_transform(steps, data, context);
  EXPECT_EQ(binned.features.size(), 3U);
  EXPECT_EQ(binned.thresholds.size(), 3U);
  steps.features = "2,8";  // the user's choice is kept
  EXPECT_THAT(fit_training_transform(steps, data, context).features, ElementsAre("2", "8"));
}

}  // namespace
}  // namespace podium::present_features_test
