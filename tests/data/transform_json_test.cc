#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "podium/transform.h"
#include "support/toy_data.h"

namespace podium::transform_json_test {
namespace {

using ::testing::HasSubstr;

RC_GTEST_PROP(TransformJsonProperty, RoundTripsExactly, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Transform transform;
  transform.log1p = random.below(2) != 0;
  transform.normalization = static_cast<Normalization>(random.below(4));
  for (std::size_t f = 0; f < 4; ++f) {
    transform.features.push_back("f \"" + std::to_string(f) + "\"\n");
    auto& cuts = transform.thresholds.emplace_back();
    float cut = static_cast<float>(random.uniform() - 0.5) * 1e-20F;
    for (int i = 0; i < 5; ++i)
      if (const float next = cut + static_cast<float>(random.uniform()) * 1e3F; next > cut)
        cuts.push_back(cut = next);
  }
  const Transform back = transform_from_json(to_json(transform), "t.json");
  RC_ASSERT(back.features == transform.features);
  RC_ASSERT(back.log1p == transform.log1p);
  RC_ASSERT(back.normalization == transform.normalization);
  RC_ASSERT(back.thresholds == transform.thresholds);
}

TEST(TransformJson, ThresholdsAreShort) {
  Transform transform;
  transform.thresholds = {{0.53F}};
  EXPECT_THAT(to_json(transform), HasSubstr("[[0.53]]"));
}

TEST(TransformJson, SavesAndLoads) {
  const std::string path = ::testing::TempDir() + "/transform.json";
  Transform transform;
  transform.features = {"a", "b"};
  transform.normalization = Normalization::query_zscore;
  save_transform(transform, path);
  EXPECT_EQ(load_transform(path).features, transform.features);
  EXPECT_EQ(load_transform(path).normalization, Normalization::query_zscore);
  EXPECT_THROW(load_transform(path + ".absent"), Error);
}

// As written by earlier versions for --bins 4: three thresholds.
TEST(TransformJson, FilesOfEarlierVersionsAreAppliedAsBefore) {
  testing::Bench bench;
  const Transform transform = transform_from_json(
      R"({"format":"podium-transform","version":1,"features":["1","2"],"log1p":false,)"
      R"("normalize":"none","thresholds":[[24,49,74],[0.5]]})",
      "t.json");
  const Dataset data = testing::make_dataset({2}, 2, {50, 0.5, 75, 0.75}, {0, 1});
  const Dataset applied = apply(transform, data, bench.context);
  EXPECT_THAT(applied.feature_names(), ::testing::ElementsAre("1>24", "1>49", "1>74", "2>0.5"));
  std::vector<float> row(4);
  applied.rows(0).copy(0, row);
  EXPECT_THAT(row, ::testing::ElementsAre(1, 1, 0, 0));
  applied.rows(0).copy(1, row);
  EXPECT_THAT(row, ::testing::ElementsAre(1, 1, 1, 1));
}

TEST(TransformJson, HostileFilesAreErrorsWithTheirName) {
  const std::string head = R"({"format":"podium-transform","version":1)";
  for (const std::string& text : {std::string(),
                                  std::string("[]"),
                                  std::string("{"),
                                  std::string("{}"),
                                  std::string("null"),
                                  std::string(100000, '['),
                                  std::string("\xff\xfe"),
                                  std::string(R"({"format":7,"version":1})"),
                                  std::string(R"({"format":"podium-transform"})"),
                                  std::string(R"({"format":"podium-transform","version":1.5})"),
                                  std::string(R"({"format":"podium-transform","version":99})"),
                                  std::string(R"({"format":"podium-transform","version":-1})"),
                                  head + R"(,"feature":[]})",
                                  head + R"(,"features":"a"})",
                                  head + R"(,"features":[1]})",
                                  head + R"(,"features":["a","a"]})",
                                  head + R"(,"features":[""]})",
                                  head + R"(,"log1p":1})",
                                  head + R"(,"normalize":"minmax"})",
                                  head + R"(,"normalize":null})",
                                  head + R"(,"thresholds":[1]})",
                                  head + R"(,"thresholds":[["1"]]})",
                                  head + R"(,"thresholds":[[2,1]]})",
                                  head + R"(,"thresholds":[[1,1]]})",
                                  head + R"(,"thresholds":[[1e300]]})",
                                  head + R"(,"thresholds":{"a":[1]}})",
                                  head + R"(,"features":["a"],"thresholds":[[1],[2]]})"}) {
    try {
      transform_from_json(text, "t.json");
      ADD_FAILURE() << "accepted: " << text.substr(0, 80);
    } catch (const Error& error) {
      EXPECT_EQ(error.where().file, "t.json");
      EXPECT_EQ(error.code(), ErrorCode::data);
    }
  }
}

TEST(TransformJson, WrongNumberOfThresholdListsIsAnErrorWhenApplied) {
  testing::Bench bench;
  const Dataset data = testing::make_dataset({1}, 2, {1, 2}, {0});
  Transform transform;
  transform.thresholds = {{1}};
  EXPECT_THROW(apply(transform, data, bench.context), Error);
}

}  // namespace
}  // namespace podium::transform_json_test
