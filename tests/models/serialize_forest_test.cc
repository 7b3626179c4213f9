#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/forest/forest.h"
#include "models/forest_support.h"
#include "podium/error.h"

namespace podium::serialize_forest_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

SavedModel saved_forest(Forest forest) {
  SavedModel saved;
  saved.learner = "lambdamart";
  for (std::size_t f = 0; f < forest.features; ++f) saved.features.push_back(std::to_string(f + 1));
  saved.missing = "split";
  saved.model = std::move(forest);
  return saved;
}

// A tree whose node 0 has the children node 1 and leaf 1, and node 1 the leaves 0 and 2; and a tree
// of one leaf.
SavedModel sample() {
  Forest forest;
  forest.features = 3;
  forest.trees.resize(2);
  forest.trees[0].nodes = {{2, 0.75F, Tree::Node::Missing::left, 1, ~1, 2.5, 30},
                           {0, 0.25F, Tree::Node::Missing::right, ~0, ~2, 1.5, 20}};
  forest.trees[0].values = {-0.5, 0.25, 1};
  forest.trees[0].leaf_documents = {15, 10, 5};
  forest.trees[1].values = {0.125};
  forest.trees[1].leaf_documents = {30};
  return saved_forest(forest);
}

std::string message(const std::string& json) {
  try {
    model_from_json(json, "m.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

std::string message_with(const char* pointer, const Json& value) {
  Json json = Json::parse(to_json(sample()));
  json[Json::json_pointer(pointer)] = value;
  return message(json.dump());
}

TEST(ForestFile, RoundTripsExactly) {
  testing::Bench bench;
  const Link links[] = {
      {}, {Link::Kind::softmax, {0, 0.1, 2}}, {Link::Kind::cumulative, {-1, 1.0 / 3, 3}}};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    Forest forest = testing::random_forest(random.below(5), 40, 6, links[seed % 3], random);
    for (Tree& tree : forest.trees)
      for (Tree::Node& node : tree.nodes)
        node.threshold *= static_cast<float>(random.uniform()) * 1e-3F;
    if (seed % 2) forest.offset_feature = 5;
    const SavedModel saved = saved_forest(forest);
    const std::string text = to_json(saved);
    const SavedModel loaded = model_from_json(text, "m.json");
    EXPECT_EQ(to_json(loaded), text);
    EXPECT_EQ(loaded.missing, "split");
    const auto& back = std::get<Forest>(loaded.model);
    EXPECT_EQ(back.offset_feature, forest.offset_feature);
    EXPECT_EQ(back.link, forest.link);
    EXPECT_EQ(back.base, forest.base);
    ASSERT_EQ(back.trees.size(), forest.trees.size());
    for (std::size_t t = 0; t < back.trees.size(); ++t)
      for (std::size_t n = 0; n < back.trees[t].nodes.size(); ++n) {
        const float a = back.trees[t].nodes[n].threshold, b = forest.trees[t].nodes[n].threshold;
        EXPECT_EQ(a, b);
        EXPECT_EQ(std::signbit(a), std::signbit(b));
      }
    const Dataset data = testing::random_data(100, 6, random);
    EXPECT_EQ(leaf_indices(back, data, bench.pool), leaf_indices(forest, data, bench.pool));
    EXPECT_EQ(importance(loaded.model), importance(saved.model));
  }
}

TEST(ForestFile, ThresholdsAreShortAndArraysOnOneLine) {
  SavedModel saved = sample();
  auto& forest = std::get<Forest>(saved.model);
  forest.trees[0].nodes[0].threshold = 0.1F;
  forest.trees[0].nodes[1].threshold = 16777216.0F;
  EXPECT_THAT(to_json(saved), HasSubstr("\"threshold\": [0.1,16777216.0],\n"));
}

TEST(ForestFile, RefusesInvalidTrees) {
  EXPECT_THAT(message_with("/model/trees/0/left/0", 0), HasSubstr("'model.trees[0]' has node 0"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", 0), HasSubstr("neither a later node"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", 1), HasSubstr("neither a later node"));
  EXPECT_THAT(message_with("/model/trees/0/left/0", 2),
              HasSubstr("neither a later node nor a leaf"));
  EXPECT_THAT(message_with("/model/trees/0/left/0", -4),
              HasSubstr("neither a later node nor a leaf"));
  EXPECT_THAT(message_with("/model/trees/0/right/0", 1), HasSubstr("reaches the child 1 twice"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", -2), HasSubstr("reaches the child -2 twice"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", INT32_MIN), HasSubstr("nor a leaf"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", 4294967296), HasSubstr("32-bit"));
  EXPECT_THAT(message_with("/model/trees/0/left/1", 0.5), HasSubstr("32-bit"));
}

TEST(ForestFile, RefusesWrongSizesAndNumbers) {
  EXPECT_THAT(message_with("/model/trees/0/feature/0", 3), HasSubstr("'model.trees[0].feature'"));
  EXPECT_THAT(message_with("/model/trees/0/feature/0", -1), HasSubstr("whole number"));
  EXPECT_THAT(message_with("/model/trees/0/feature", {1}), HasSubstr("different sizes"));
  EXPECT_THAT(message_with("/model/trees/0/gain", Json::array()), HasSubstr("different sizes"));
  EXPECT_THAT(message_with("/model/trees/0/threshold/0", 1e39), HasSubstr("not finite"));
  EXPECT_THAT(message_with("/model/trees/0/threshold/0", nullptr), HasSubstr("finite number"));
  EXPECT_THAT(message_with("/model/trees/0/values", {1, 2}), HasSubstr("one leaf more"));
  EXPECT_THAT(message_with("/model/trees/1/values", Json::array()), HasSubstr("one leaf more"));
  EXPECT_THAT(message_with("/model/trees/0/leaf_documents", {1}), HasSubstr("leaf counts"));
  EXPECT_THAT(message_with("/model/trees/0/missing_left/0", 1), HasSubstr("true or false"));
  EXPECT_THAT(message_with("/model/trees/0", 1),
              HasSubstr("'model.trees[0]' is not a JSON object"));
  EXPECT_THAT(message_with("/model/trees", 1), HasSubstr("'model.trees' is not an array"));
  EXPECT_THAT(message_with("/model/offset_feature", 3), HasSubstr("'model.offset_feature'"));
  EXPECT_THAT(message_with("/model/offset_feature", 4294967296), HasSubstr("'model.offset"));
  EXPECT_THAT(message_with("/missing", "zero"), HasSubstr("'missing'"));
  std::string text = to_json(sample());
  text.replace(text.find("\"base\": [0.0]"), 13, "\"base\": [1e999]");
  EXPECT_THAT(message(text), HasSubstr("too large"));
}

TEST(ForestFile, RefusesLinksThatDoNotFit) {
  EXPECT_THAT(message_with("/model/base", {1, 2}), HasSubstr("'base' has 2 numbers"));
  EXPECT_THAT(message_with("/model/link/kind", "probit"), HasSubstr("'probit' is unknown"));
  EXPECT_THAT(message_with("/model/link", {{"kind", "softmax"}, {"values", Json::array()}}),
              HasSubstr("wrong size"));
  EXPECT_THAT(message_with("/model/link", {{"kind", "cumulative"}, {"values", {1}}}),
              HasSubstr("wrong size"));
  EXPECT_THAT(message_with("/model/link/values", {1}), HasSubstr("wrong size"));
  EXPECT_THAT(message_with("/model/link", {{"kind", "cumulative"}, {"values", {2, 1}}}),
              HasSubstr("is not in ascending order"));
  Json json = Json::parse(to_json(sample()));
  json["model"]["link"] = {{"kind", "softmax"}, {"values", {0, 1, 2}}};
  json["model"]["base"] = {0, 0, 0};
  EXPECT_THAT(message(json.dump()), HasSubstr("not a multiple of the 3 outputs"));
}

TEST(ForestFile, NamesEveryKeyThatIsMissing) {
  for (const char* key : {"base", "link", "offset_feature", "trees"}) {
    Json json = Json::parse(to_json(sample()));
    json["model"].erase(key);
    EXPECT_THAT(message(json.dump()), HasSubstr("'model." + std::string(key) + "' is missing"));
  }
  for (const char* key : {"feature", "threshold", "missing_left", "left", "right", "gain",
                          "documents", "values", "leaf_documents"}) {
    Json json = Json::parse(to_json(sample()));
    json["model"]["trees"][1].erase(key);
    EXPECT_THAT(message(json.dump()),
                HasSubstr("'model.trees[1]." + std::string(key) + "' is missing"));
  }
}

TEST(ForestFile, RefusesEndlessNesting) {
  std::string text = to_json(sample());
  const auto at = text.find("\"normalization\": ") + 17;
  text.insert(at, std::string(1000000, '['));
  EXPECT_THAT(message(text), HasSubstr("nests too deep"));
  text.assign(3000000, '{');
  EXPECT_THAT(message(text), HasSubstr("nests too deep"));
}

TEST(ForestFile, RefusesToSaveModelsThatWouldNotLoad) {
  const auto refuses = [](auto&& damage) {
    SavedModel saved = sample();
    damage(std::get<Forest>(saved.model));
    EXPECT_THROW(to_json(saved), Error);
  };
  refuses([](Forest& f) { f.trees[0].values[0] = std::numeric_limits<double>::quiet_NaN(); });
  refuses(
      [](Forest& f) { f.trees[0].nodes[0].threshold = std::numeric_limits<float>::infinity(); });
  refuses([](Forest& f) { f.trees[0].nodes[1].left = 0; });
  refuses([](Forest& f) { f.base = {std::numeric_limits<double>::infinity()}; });
  refuses([](Forest& f) { f.trees[0].nodes[0].feature = 3; });
}

}  // namespace
}  // namespace podium::serialize_forest_test
