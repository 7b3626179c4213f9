// Every learner trains on data with a category and missing values; what is learned from the
// preparation is in the model, and the preparation leaks no labels.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/explain.h"
#include "podium/training.h"
#include "support/catalogue_rows.h"
#include "support/toy_data.h"

namespace podium::missing_and_categories_test {
namespace {

using testing::Bench;
using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Queries of ten documents: a brand (its value shifts the label), two scores that say the same of a
// document, each missing for half of them, and noise. A score is missing where it would be low.
Dataset shop(std::size_t queries, std::size_t brands, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < 10 * queries; ++i) {
    const auto brand = random.below(brands);
    const double quality = random.uniform() + 0.5 * static_cast<double>(brand % 3);
    values.push_back(static_cast<float>(brand));
    for (int f = 0; f < 2; ++f) {
      const double seen = quality + 0.4 * random.uniform();
      values.push_back(seen > 1 ? static_cast<float>(10 + seen) : kNan);
    }
    values.push_back(static_cast<float>(random.uniform()));
    labels.push_back(static_cast<float>(static_cast<int>(2 * quality / 1.2)));
  }
  DatasetParts parts =
      testing::make_dataset(std::vector<std::size_t>(queries, 10), 4, values, labels).parts();
  std::vector<std::string> names;
  for (std::size_t b = 0; b < brands; ++b) names.push_back("b" + std::to_string(100 + b));
  parts.feature_names = {"brand", "bm25", "dense", "noise"};
  parts.schema = FeatureSchema({{0, make_strings(names)}});
  return Dataset(std::move(parts));
}

class AnyLearner : public ::testing::TestWithParam<std::string> {
 protected:
  TrainingSpec spec() const {
    TrainingSpec spec{.learner = GetParam()};
    spec.measures = parse_measures("nDCG@5", spec.convention);
    return spec;
  }
};

TEST_P(AnyLearner, TakesACategoryAndMissingValues) {
  const Dataset train_data = shop(30, 20, 1), valid = shop(15, 20, 2), test = shop(15, 25, 3);
  Bench one(1), two(2);
  const SavedModel model = train(spec(), train_data, &valid, one.context);
  const std::string file = to_json(model);
  EXPECT_EQ(to_json(train(spec(), train_data, &valid, two.context)), file);
  const SavedModel read = model_from_json(file, "file");
  EXPECT_EQ(to_json(read), file);
  const auto scores = score(read, test, one.context);
  for (const double s : scores) EXPECT_TRUE(std::isfinite(s));
  EXPECT_EQ(CompiledModel(read).score(test).size(), scores.size());
  const auto explained = explain(read, test, one.context);
  EXPECT_EQ(explained[0].contributions.size(), 4U);
  EXPECT_EQ(input_names(read).size(), feature_count(read.model));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AnyLearner, ::testing::ValuesIn(testing::row_names(learners())),
                         testing::test_name);

double held_out(const TrainingSpec& spec, const Dataset& data, const Dataset& test) {
  Bench bench;
  const SavedModel model = train(spec, data, nullptr, bench.context);
  return evaluate(spec.measures[0], spec.convention, test, score(model, test, bench.context),
                  bench.context);
}

// A category whose values have nothing to do with the labels, so rare that each value has a few
// documents: statistics that saw a document's own label would look like a perfect feature.
Dataset shuffled_category(const Dataset& data, std::uint64_t seed) {
  DatasetParts parts = data.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  Random random(seed);
  const std::size_t brands = parts.schema.values(0)->size();
  for (std::size_t i = 0; i < values.size(); i += 4)
    values[i] = static_cast<float>(random.below(brands));
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

TEST(TargetStatistics, OfAShuffledCategoryGainNothing) {
  const Dataset data = shuffled_category(shop(60, 300, 4), 5);
  const Dataset test = shuffled_category(shop(200, 300, 6), 7);
  TrainingSpec spec{.learner = "linear"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  spec.preparation.encode = Encoding::target;
  const double with = held_out(spec, data, test);
  spec.preparation.encode.reset();
  spec.preparation.features = "bm25,dense,noise";
  const double without = held_out(spec, data, test);
  EXPECT_NEAR(with, without, 0.01);

  // Ranked by the statistic alone, the training data looks random; statistics that contain a
  // document's own label would look good.
  Bench bench;
  TransformOptions options;
  options.encode = Encoding::target;
  options.features = "brand";
  const Transform transform = fit_transform(options, data, bench.context);
  const auto by_statistic = [&](const Dataset& prepared) {
    return evaluate(spec.measures[0], spec.convention, prepared,
                    score(Linear{{1}, 0}, prepared, bench.context), bench.context);
  };
  const double ordered = by_statistic(apply_to_training(transform, data, bench.context));
  const double chance = by_statistic(apply(transform, test, bench.context));
  EXPECT_NEAR(ordered, chance, 0.05);
  EXPECT_GT(by_statistic(apply(transform, data, bench.context)), chance + 0.1);
}

TEST(TargetStatistics, OfACategoryThatMattersHelp) {
  const Dataset data = shop(100, 60, 4), test = shop(100, 60, 6);
  TrainingSpec spec{.learner = "linear"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  spec.preparation.features = "brand,noise";
  const double with = held_out(spec, data, test);
  spec.preparation.features = "noise";
  EXPECT_GT(with, held_out(spec, data, test) + 0.05);
}

struct Notes : Observer {
  std::string all;
  void note(std::string_view text) override { all.append(text).append("\n"); }
};

// Ids as a category: most values are never seen again, and the model file keeps them.
TEST(Categories, OfVeryManyValuesAreNoted) {
  for (const std::size_t values : {65536, 65537}) {
    DatasetParts parts = shop(20, 4, 1).parts();
    std::vector<std::string> ids;
    for (std::size_t v = 0; v < values; ++v) ids.push_back(std::to_string(v));
    parts.schema = FeatureSchema({{0, make_strings(ids)}});
    const Dataset data(std::move(parts));
    Bench bench;
    Notes notes;
    Context context{1, bench.pool, *bench.comm, notes};
    for (const char* learner : {"lambdamart", "linear"}) {
      notes.all.clear();
      TrainingSpec spec{.learner = learner};
      if (spec.learner == "lambdamart") spec.options = {{"trees", "2"}};
      spec.measures = parse_measures("nDCG@5", spec.convention);
      train(spec, data, nullptr, context);
      const auto about_ids = HasSubstr("'brand' has 65537 different values, which the model");
      if (values > 65536)
        EXPECT_THAT(notes.all, about_ids);
      else
        EXPECT_THAT(notes.all, ::testing::Not(HasSubstr("different values")));
    }
  }
}

TEST(Imputation, IsChosenOnValidationDataAndSaysSo) {
  const Dataset data = shop(40, 4, 1), valid = shop(40, 4, 2);
  Bench bench;
  Notes notes;
  Context context{1, bench.pool, *bench.comm, notes};
  TrainingSpec spec{.learner = "ranksvm"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  const SavedModel model = train(spec, data, &valid, context);
  EXPECT_NE(model.normalization.imputation, Imputation::none);
  EXPECT_THAT(notes.all, HasSubstr("2 features have missing values: ‹impute "));
  EXPECT_THAT(notes.all, HasSubstr("nDCG@5 of ridge regression: zero 0."));
}

TEST(Imputation, WithoutValidationDataIsTheMeanWithIndicators) {
  const Dataset data = shop(40, 4, 1);
  Bench bench;
  Notes notes;
  Context context{1, bench.pool, *bench.comm, notes};
  TrainingSpec spec{.learner = "listnet"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  const SavedModel model = train(spec, data, nullptr, context);
  EXPECT_EQ(model.normalization.imputation, Imputation::mean);
  EXPECT_THAT(model.normalization.indicators, ::testing::ElementsAre(1, 2));
  EXPECT_THAT(notes.all, HasSubstr("‹impute mean› ‹indicators yes›, as there is no validation"));
  EXPECT_FALSE(needs_queries(model));
}

TEST(Imputation, LeavesDataWithoutMissingValuesAndTreesAlone) {
  Bench bench;
  const Dataset whole = testing::noisy_linear(20, 10, 4, 1);
  TrainingSpec spec{.learner = "linear"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  const std::string chosen = to_json(train(spec, whole, &whole, bench.context));
  spec.preparation.impute = Imputation::none;
  EXPECT_EQ(to_json(train(spec, whole, &whole, bench.context)), chosen);
  TrainingSpec trees{.learner = "lambdamart", .options = {{"trees", "3"}}};
  trees.measures = spec.measures;
  const SavedModel forest = train(trees, shop(20, 4, 1), nullptr, bench.context);
  EXPECT_EQ(forest.normalization.imputation, Imputation::none);
  trees.preparation.impute = Imputation::query_min;
  EXPECT_TRUE(needs_queries(train(trees, shop(20, 4, 1), nullptr, bench.context)));
}

TEST(Imputation, RefusesIndicatorsWithoutIt) {
  Bench bench;
  TrainingSpec spec{.learner = "lambdamart"};
  spec.measures = parse_measures("nDCG@5", spec.convention);
  spec.preparation.indicators = Indicators::yes;
  EXPECT_THROW(train(spec, shop(5, 4, 1), nullptr, bench.context), Error);
}

}  // namespace
}  // namespace podium::missing_and_categories_test
