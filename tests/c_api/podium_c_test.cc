#include "podium/podium_c.h"

#include <cmath>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/forest_support.h"
#include "podium/model.h"
#include "support/real_data.h"
#include "support/temporary_folder.h"

namespace podium::podium_c_test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kFeatures = 5, kDocuments = 40;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Free {
  void operator()(podium_model* model) const { podium_model_free(model); }
};
using ModelPtr = std::unique_ptr<podium_model, Free>;

SavedModel saved(Model model) {
  SavedModel out;
  out.learner = "test";
  for (std::size_t f = 0; f < kFeatures; ++f) out.features.push_back("f" + std::to_string(f));
  out.model = std::move(model);
  return out;
}

std::vector<SavedModel> models() {
  Random random(3);
  std::vector<SavedModel> out;
  out.push_back(saved(Linear{{1, -0.5, 0.25, 3, 0}, 0.125}));
  out.push_back(saved(testing::random_forest(20, 30, kFeatures, {}, random)));
  out.push_back(
      saved(testing::random_forest(7, 12, kFeatures, {Link::Kind::softmax, {0, 1, 2}}, random)));
  out.push_back(out[0]);
  out.back().normalization.normalization = Normalization::query_minmax;
  return out;
}

// With a category as its second feature.
SavedModel category_model() {
  Random random(4);
  Forest forest = testing::random_forest(20, 30, kFeatures, {}, random);
  testing::make_category(forest, 1, 30, random);
  SavedModel model = saved(std::move(forest));
  model.schema = FeatureSchema({{1, testing::category_values(30)}});
  model.missing = "split";
  return model;
}

ModelPtr load(const SavedModel& model) {
  const std::string json = to_json(model);
  podium_model* loaded = nullptr;
  EXPECT_EQ(podium_model_load_memory(json.data(), json.size(), &loaded), PODIUM_OK)
      << podium_last_error();
  return ModelPtr(loaded);
}

// Values without infinities, which the interface refuses.
Dataset documents(std::size_t count) {
  Random random(9);
  std::vector<float> values(count * kFeatures);
  for (float& x : values) do
      x = testing::random_value(random);
    while (std::isinf(x));
  Dataset data =
      testing::make_dataset({count}, kFeatures, std::move(values), std::vector<float>(count));
  DatasetParts parts = data.parts();
  parts.feature_names.clear();
  for (std::size_t f = 0; f < kFeatures; ++f)
    parts.feature_names.push_back("f" + std::to_string(f));
  return Dataset(std::move(parts));
}

TEST(PodiumC, ScoresAsTheLibraryDoes) {
  testing::Bench bench;
  for (const SavedModel& model : models())
    for (const std::size_t count : {std::size_t{1}, std::size_t{7}, kDocuments}) {
      const Dataset data = documents(count);
      const ModelPtr loaded = load(model);
      ASSERT_EQ(podium_model_features(loaded.get()), kFeatures);
      EXPECT_STREQ(podium_model_feature_name(loaded.get(), 2), "f2");
      const auto values = data.parts().dense.view();
      std::vector<double> scores(count);
      ASSERT_EQ(podium_score_dense(loaded.get(), values.data(), count, kFeatures, scores.data()),
                PODIUM_OK)
          << podium_last_error();
      EXPECT_EQ(scores, score(model, data, bench.context));
    }
}

TEST(PodiumC, SparseRowsScoreAsDenseOnes) {
  const Dataset data = documents(kDocuments);
  for (const float absent : {0.0F, kNan})
    for (const SavedModel& model : models()) {
      const ModelPtr loaded = load(model);
      const Dataset sparse = testing::to_sparse_rows(data, absent);
      const DatasetParts& parts = sparse.parts();
      std::vector<double> scores(kDocuments), dense(kDocuments);
      ASSERT_EQ(podium_score_sparse(loaded.get(), parts.row_begin.view().data(),
                                    parts.columns.view().data(), parts.values.view().data(),
                                    kDocuments, absent, scores.data()),
                PODIUM_OK)
          << podium_last_error();
      ASSERT_EQ(podium_score_dense(loaded.get(), data.parts().dense.view().data(), kDocuments,
                                   kFeatures, dense.data()),
                PODIUM_OK);
      for (std::size_t i = 0; i < kDocuments; ++i) EXPECT_NEAR(scores[i], dense[i], 1e-12);
    }
}

TEST(PodiumC, ReportsErrors) {
  const ModelPtr loaded = load(models()[0]);
  std::vector<float> values(kFeatures);
  double score = 0;
  podium_model* none = loaded.get();
  EXPECT_EQ(podium_model_load("/nowhere/model.json", &none), PODIUM_FILE_ERROR);
  EXPECT_EQ(none, nullptr);
  EXPECT_THAT(podium_last_error(), HasSubstr("/nowhere/model.json"));
  EXPECT_EQ(podium_model_load_memory("{}", 2, &none), PODIUM_WRONG_DATA);
  EXPECT_EQ(podium_model_load(nullptr, &none), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(podium_model_load("x", nullptr), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(podium_score_dense(nullptr, values.data(), 1, kFeatures, &score),
            PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(podium_score_dense(loaded.get(), values.data(), 1, 4, &score), PODIUM_WRONG_ARGUMENT);
  EXPECT_THAT(podium_last_error(), HasSubstr("rows have 4 features, but the model has 5"));
  EXPECT_EQ(podium_score_dense(loaded.get(), nullptr, 1, kFeatures, &score), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(podium_score_dense(loaded.get(), nullptr, 0, kFeatures, nullptr), PODIUM_OK);
  EXPECT_EQ(podium_score_dense(loaded.get(), values.data(), SIZE_MAX, kFeatures, &score),
            PODIUM_WRONG_ARGUMENT);
  values[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(podium_score_dense(loaded.get(), values.data(), 1, kFeatures, &score),
            PODIUM_WRONG_DATA);
  EXPECT_STREQ(podium_last_error(), "values[3] is infinite");
  EXPECT_EQ(podium_model_features(nullptr), 0U);
  EXPECT_EQ(podium_model_feature_name(loaded.get(), kFeatures), nullptr);
  podium_model_free(nullptr);
}

TEST(PodiumC, ChecksSparseRows) {
  const ModelPtr loaded = load(models()[0]);
  double scores[2];
  const float values[] = {1, 2, 3};
  const auto status = [&](std::vector<std::uint64_t> begin, std::vector<std::uint32_t> columns,
                          float absent) {
    return podium_score_sparse(loaded.get(), begin.data(), columns.data(), values, 2, absent,
                               scores);
  };
  EXPECT_EQ(status({0, 1, 3}, {4, 0, 1}, 0), PODIUM_OK);
  EXPECT_EQ(status({1, 1, 3}, {4, 0, 1}, 0), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(status({0, 2, 1}, {0, 1, 2}, 0), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(status({0, 1, 3}, {5, 0, 1}, 0), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(status({0, 1, 3}, {0, 1, 1}, 0), PODIUM_WRONG_ARGUMENT);
  EXPECT_EQ(status({0, 1, 3}, {0, 0, 1}, 7), PODIUM_WRONG_ARGUMENT);
}

TEST(PodiumC, OneModelInManyThreads) {
  const ModelPtr loaded = load(models()[1]);
  const Dataset data = documents(kDocuments);
  const float* const values = data.parts().dense.view().data();
  std::vector<double> expected(kDocuments);
  ASSERT_EQ(podium_score_dense(loaded.get(), values, kDocuments, kFeatures, expected.data()),
            PODIUM_OK);
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (int& faults : wrong)
    threads.emplace_back([&loaded, &expected, &faults, values] {
      std::vector<double> scores(kDocuments);
      for (int round = 0; round < 50; ++round) {
        faults += podium_score_dense(loaded.get(), values, kDocuments, kFeatures, scores.data()) !=
                      PODIUM_OK ||
                  scores != expected;
        // Every thread has its own last error.
        faults += podium_score_dense(loaded.get(), values, 1, 1, scores.data()) == PODIUM_OK;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

TEST(PodiumC, TheExampleInCScores) {
  const testing::TemporaryFolder folder;
  const std::string model = folder.write("m.json", to_json(models()[0]));
  const std::string input = folder.write("in.txt", "1 2 3 4 5\n0.5 nan 0 0 0\n");
  const std::string out =
      testing::output_of(std::string("'") + EXAMPLE + "' '" + model + "' < '" + input + "'");
  EXPECT_EQ(out, "12.875\n0.625\n");
}

TEST(CInterface, CategoriesAreCodes) {
  const SavedModel saved_model = category_model();
  const ModelPtr model = load(saved_model);
  EXPECT_EQ(podium_model_is_category(model.get(), 1), 1);
  EXPECT_EQ(podium_model_is_category(model.get(), 0), 0);
  EXPECT_EQ(podium_model_is_category(model.get(), 99), 0);
  EXPECT_EQ(podium_model_is_category(nullptr, 1), 0);
  EXPECT_EQ(podium_model_category_code(model.get(), 1, "v07"), 7);
  for (const char* value : {"v99", "", static_cast<const char*>(nullptr)})
    EXPECT_TRUE(std::isnan(podium_model_category_code(model.get(), 1, value)));
  EXPECT_TRUE(std::isnan(podium_model_category_code(model.get(), 0, "v07")));
  const Forest& forest = std::get<Forest>(saved_model.model);
  for (const float code : {0.0F, 7.0F, 29.0F, 30.0F, 1e9F, -1.0F, kNan}) {
    const float row[kFeatures] = {0.25F, code, 0.5F, -1, 0};
    double score = 0, expected = forest.base[0];
    ASSERT_EQ(podium_score_dense(model.get(), row, 1, kFeatures, &score), PODIUM_OK)
        << podium_last_error();
    for (const Tree& tree : forest.trees) {
      std::int32_t at = tree.nodes.empty() ? ~0 : 0;
      while (at >= 0) {
        const auto node = static_cast<std::size_t>(at);
        const std::uint32_t feature = tree.nodes[node].feature;
        at = tree.child(node, row[feature]);
      }
      expected += tree.values[static_cast<std::size_t>(~at)];
    }
    EXPECT_EQ(score, expected) << code;
  }
}

}  // namespace
}  // namespace podium::podium_c_test
