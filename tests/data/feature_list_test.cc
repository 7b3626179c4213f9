#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/transform.h"
#include "support/toy_data.h"

namespace podium::feature_list_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Dataset unnamed(std::size_t features) {
  return testing::make_dataset({1}, features, std::vector<float>(features, 1), {0});
}

Dataset named(std::vector<std::string> names) {
  DatasetParts parts = unnamed(names.size()).parts();
  parts.feature_names = std::move(names);
  return Dataset(std::move(parts));
}

std::string error_of(std::string_view list, const Dataset& data) {
  try {
    parse_feature_list(list, data);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(FeatureList, NumbersAndRangesInTheDatasOrder) {
  EXPECT_THAT(parse_feature_list("7,1-3, 2", unnamed(8)), ElementsAre("1", "2", "3", "7"));
}

TEST(FeatureList, NamesAndRangesOfNames) {
  const Dataset data = named({"bm25", "title-length", "pagerank", "clicks"});
  EXPECT_THAT(parse_feature_list("clicks,bm25", data), ElementsAre("bm25", "clicks"));
  EXPECT_THAT(parse_feature_list("title-length", data), ElementsAre("title-length"));
  EXPECT_THAT(parse_feature_list("title-length-clicks", data),
              ElementsAre("title-length", "pagerank", "clicks"));
}

TEST(FeatureList, NumbersInAnyOrder) {
  const Dataset data = named({"5", "3", "10", "2"});
  EXPECT_THAT(find_features({"2", "10", "5"}, data), ElementsAre(3, 2, 0));
  EXPECT_THAT(find_features({"3", "12"}, data), ElementsAre(1, kNoFeature));
  EXPECT_THAT(find_features({"9", "4"}, named({"2", "3", "4"})), ElementsAre(kNoFeature, 2));
  EXPECT_THROW(find_features({"1"}, named({"2", "3", "4"})), Error);
  EXPECT_THROW(find_features({"3"}, named({"2", "4"})), Error);
  EXPECT_THROW(find_features({"03"}, named({"2", "3"})), Error);
}

TEST(FeatureList, ErrorsListTheFeatures) {
  EXPECT_THAT(error_of("1-9", unnamed(8)),
              HasSubstr("no feature '9': the data's features are numbered 1 to 8"));
  EXPECT_THAT(error_of("0", unnamed(8)), HasSubstr("numbered 1 to 8"));
  EXPECT_THAT(error_of("5-2", unnamed(8)), HasSubstr("descending order"));
  EXPECT_THAT(error_of("1,,2", unnamed(8)), HasSubstr("empty item"));
  EXPECT_THAT(error_of("", unnamed(8)), HasSubstr("empty item"));
  EXPECT_THAT(error_of("pagerak", named({"bm25", "pagerank"})),
              HasSubstr("did you mean pagerank?"));
  EXPECT_THAT(error_of("1", named({"bm25", "pagerank"})), HasSubstr("no feature '1'"));
}

}  // namespace
}  // namespace podium::feature_list_test
