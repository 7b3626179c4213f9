#include "podium/feature_schema.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "data/schema_json.h"

namespace podium::feature_schema_test {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

Strings strings(const std::vector<std::string>& values) {
  return make_strings(values);
}

TEST(FeatureSchema, OrdersNumbersBySizeAndThenTextByBytes) {
  std::vector<std::string> values = {"zenith", "10", "9", "", "0", "007", "Acme", "acme", "-1"};
  std::sort(values.begin(), values.end(), category_precedes);
  EXPECT_THAT(values, ElementsAre("0", "9", "10", "", "-1", "007", "Acme", "acme", "zenith"));
}

TEST(FeatureSchema, KnowsTypesAndValues) {
  const FeatureSchema schema({{1, strings({"a", "b"})}, {4, strings({"0", "7"})}}, {"url"});
  EXPECT_EQ(schema.type(0), FeatureType::number);
  EXPECT_EQ(schema.type(1), FeatureType::category);
  EXPECT_EQ(schema.type(5), FeatureType::number);
  ASSERT_NE(schema.values(4), nullptr);
  EXPECT_EQ((*schema.values(4))[1], "7");
  EXPECT_FALSE(schema.all_numbers());
  EXPECT_THAT(schema.ignored(), ElementsAre("url"));
  EXPECT_TRUE(FeatureSchema().empty());
  EXPECT_EQ(FeatureSchema({}, {"url"}).hash(), 0U);
  EXPECT_NE(schema.hash(),
            FeatureSchema({{1, strings({"a", "c"})}, {4, strings({"0", "7"})}}).hash());
}

TEST(FeatureSchema, FindsCodesByValue) {
  const Strings values = strings({"3", "20", "a", "c"});
  EXPECT_EQ(find_category(values, "20"), 1U);
  EXPECT_EQ(find_category(values, "c"), 3U);
  EXPECT_EQ(find_category(values, "b"), std::nullopt);
  EXPECT_EQ(find_category(strings({}), "b"), std::nullopt);
  const auto map = code_map(strings({"3", "b", "c"}), values);
  EXPECT_EQ(map[0], 0);
  EXPECT_TRUE(std::isnan(map[1]));
  EXPECT_EQ(map[2], 3);
  EXPECT_EQ(code_of(2, 3), 2U);
  EXPECT_EQ(code_of(3, 3), std::nullopt);
  EXPECT_EQ(code_of(-1, 3), std::nullopt);
  EXPECT_EQ(code_of(std::nanf(""), 3), std::nullopt);
}

TEST(FeatureSchema, FollowsSelectedFeatures) {
  const FeatureSchema schema({{1, strings({"a"})}, {4, strings({"b"})}}, {"url"});
  const std::size_t source[] = {4, 0, static_cast<std::size_t>(-1), 1};
  const FeatureSchema chosen = schema.selected(source);
  ASSERT_EQ(chosen.categories().size(), 2U);
  EXPECT_EQ((*chosen.values(0))[0], "b");
  EXPECT_EQ((*chosen.values(3))[0], "a");
  EXPECT_THAT(chosen.ignored(), ElementsAre("url"));
}

TEST(FeatureSchema, RefusesWrongOrder) {
  EXPECT_THAT(error_of([] {
                FeatureSchema({{2, strings({})}, {2, strings({})}});
              }),
              HasSubstr("not in order"));
  EXPECT_THAT(error_of([] {
                FeatureSchema({{2, strings({"b", "a"})}});
              }),
              HasSubstr("not in order"));
  EXPECT_THAT(error_of([] {
                FeatureSchema({{2, strings({"a", "a"})}});
              }),
              HasSubstr("not in order"));
}

TEST(FeatureSchema, HasAJsonForm) {
  const FeatureSchema schema({{1, strings({"0", "é"})}}, {"url"});
  const std::vector<std::string> names = {"price", "brand"};
  const std::string json = schema_to_json(schema, names);
  EXPECT_EQ(json, R"({"brand":{"type":"category","values":["0","é"]},"url":{"type":"ignored"}})");
  const FeatureSchema back = schema_from_json(json, names);
  EXPECT_EQ(back.hash(), schema.hash());
  EXPECT_EQ(back.ignored(), schema.ignored());
  const auto problem = [&](const char* text) {
    return error_of([&] { schema_from_json(text, names); });
  };
  EXPECT_THAT(problem("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(problem("{"), HasSubstr("not a JSON object"));
  EXPECT_THAT(problem(R"({"brand":{"type":"category"}})"), HasSubstr("no list of values"));
  EXPECT_THAT(problem(R"({"brand":{"type":"category","values":[1]}})"), HasSubstr("not a string"));
  EXPECT_THAT(problem(R"({"brand":{"type":"category","values":["b","a"]}})"),
              HasSubstr("not in order"));
  EXPECT_THAT(problem(R"({"colour":{"type":"category","values":[]}})"), HasSubstr("no feature"));
  EXPECT_THAT(problem(R"({"brand":{"type":"ignored"}})"), HasSubstr("also a feature"));
  EXPECT_THAT(problem(R"({"brand":{"type":7}})"), HasSubstr("neither"));
  EXPECT_THAT(problem(R"({"brand":"category"})"), HasSubstr("neither"));
}

TEST(FeatureSchema, BelongsToTheDataSet) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2};
  parts.qids = strings({"q"});
  parts.labels = std::vector<float>{1, 0};
  parts.features = 1;
  parts.dense = std::vector<float>{0, 1};
  const Dataset numbers(parts);
  parts.schema = FeatureSchema({{0, strings({"a", "b"})}});
  const Dataset categories(parts);
  EXPECT_NE(numbers.fingerprint(), categories.fingerprint());
  EXPECT_GT(categories.bytes(), numbers.bytes());
  parts.schema = FeatureSchema({{1, strings({"a", "b"})}});
  EXPECT_THAT(error_of([&] { Dataset{parts}; }), HasSubstr("does not exist"));
  const std::size_t first[] = {0};
  EXPECT_EQ(select_queries(categories, first).schema().hash(), categories.schema().hash());
  EXPECT_EQ(query_range(categories, 0, 0).schema().hash(), categories.schema().hash());
}

}  // namespace
}  // namespace podium::feature_schema_test
