#include "podium/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::options_test {
namespace {

using ::testing::HasSubstr;

struct Sample {
  double l2 = 0.5;
  int trees = 100;
  bool norm = false;
  std::string kind = "soft";
};

const OptionTable<Sample>& table() {
  static const auto options = OptionTable<Sample>()
                                  .add("l2", &Sample::l2, "penalty", at_least(0))
                                  .add("trees", &Sample::trees, "how many", between(1, 1000))
                                  .add("norm", &Sample::norm, "normalise")
                                  .add("kind", &Sample::kind, "which", {"soft", "hard"});
  return options;
}

std::string message(const Assignments& given) {
  try {
    Settings(table().fields(), given);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

TEST(Options, DefaultsComeFromTheAggregate) {
  const Sample sample = table().read(Settings(table().fields(), {}));
  EXPECT_EQ(sample.l2, 0.5);
  EXPECT_EQ(sample.trees, 100);
  EXPECT_FALSE(sample.norm);
  EXPECT_EQ(sample.kind, "soft");
}

TEST(Options, GivenValuesAreStored) {
  const Settings settings(table().fields(),
                          {{"l2", "1e-3"}, {"trees", "7"}, {"norm", "true"}, {"kind", "hard"}});
  const Sample sample = table().read(settings);
  EXPECT_EQ(sample.l2, 1e-3);
  EXPECT_EQ(sample.trees, 7);
  EXPECT_TRUE(sample.norm);
  EXPECT_EQ(sample.kind, "hard");
  EXPECT_TRUE(settings.given("l2"));
  EXPECT_FALSE(Settings(table().fields(), {}).given("l2"));
}

TEST(Options, EnumerationsHaveNames) {
  enum class Shape { round, square };
  struct Shaped {
    Shape shape = Shape::square;
  };
  const auto shapes = OptionTable<Shaped>().add(
      "shape", &Shaped::shape, "which", {{"round", Shape::round}, {"square", Shape::square}});
  EXPECT_EQ(shapes.fields()[0].initial, Value("square"));
  EXPECT_EQ(shapes.fields()[0].choices, (std::vector<std::string>{"round", "square"}));
  EXPECT_EQ(shapes.read(Settings(shapes.fields(), {{"shape", "round"}})).shape, Shape::round);
  EXPECT_THROW(Settings(shapes.fields(), {{"shape", "flat"}}), Error);
  EXPECT_EQ(shapes.settings({Shape::round})["shape"], Value("round"));
}

TEST(Options, AnAggregateCanBeConvertedToSettings) {
  const Sample sample{.l2 = 2, .trees = 3, .norm = true, .kind = "hard"};
  const Settings settings = table().settings(sample);
  EXPECT_EQ(settings["l2"], Value(2.0));
  EXPECT_EQ(settings["trees"], Value(std::int64_t{3}));
  EXPECT_EQ(settings["norm"], Value(true));
  EXPECT_EQ(settings["kind"], Value("hard"));
  const Sample again = table().read(settings);
  EXPECT_EQ(again.trees, 3);
  EXPECT_EQ(again.kind, "hard");
}

TEST(Options, BadValuesAreExplained) {
  EXPECT_THAT(message({{"l2", "abc"}}), HasSubstr("‹l2›: 'abc' is not a number"));
  EXPECT_THAT(message({{"l2", "1x"}}), HasSubstr("'1x'"));
  EXPECT_THAT(message({{"l2", ""}}), HasSubstr("is not a number"));
  EXPECT_THAT(message({{"l2", "-1"}}), HasSubstr(">= 0"));
  EXPECT_THAT(message({{"l2", "nan"}}), HasSubstr(">= 0"));
  EXPECT_THAT(message({{"trees", "1.5"}}), HasSubstr("whole number"));
  EXPECT_THAT(message({{"trees", "1001"}}), HasSubstr("from 1 to 1000"));
  EXPECT_THAT(message({{"trees", "99999999999999999999"}}), HasSubstr("whole number"));
  EXPECT_THAT(message({{"norm", "maybe"}}), HasSubstr("true or false"));
  EXPECT_THAT(message({{"kind", "sofd"}}), HasSubstr("did you mean soft?"));
}

TEST(Options, UnknownNamesSuggestTheNearest) {
  EXPECT_THAT(message({{"tree", "3"}}), HasSubstr("did you mean trees?"));
  EXPECT_THAT(message({{"zzzzzzzz", "3"}}), ::testing::Not(HasSubstr("did you mean")));
}

TEST(Options, SuggestionsAreSimilarOrLonger) {
  const std::vector<std::string> names = {"xgboost", "elasticsearch", "a", "18219", "cpp", "cache"};
  EXPECT_EQ(nearest("xgbost", names), "xgboost");
  EXPECT_EQ(nearest("xgb", names), "xgboost");
  EXPECT_EQ(nearest("Elastic", names), "elasticsearch");
  EXPECT_EQ(nearest("c", names), "");     // as close to a as to anything
  EXPECT_EQ(nearest("c+", names), "");    // almost a prefix of two names
  EXPECT_EQ(nearest("1821", names), "");  // a number is not a misspelling of another
  EXPECT_EQ(nearest("", names), "");
}

TEST(Options, ValuesPrintSoThatTheyParseBack) {
  for (const double x : {0.1, 1e-300, -3.0, 12345678.9}) {
    const Field field{"x", "", Value(0.0)};
    EXPECT_EQ(std::get<double>(parse_value(field, to_text(Value(x)))), x);
  }
}

TEST(Range, OpenAndClosedEnds) {
  EXPECT_TRUE(at_least(0).contains(0));
  EXPECT_FALSE(above(0).contains(0));
  EXPECT_TRUE(above(0).contains(1e-300));
  EXPECT_EQ(above(0).text(), "> 0");
  EXPECT_EQ(Range{}.text(), "");
}

}  // namespace
}  // namespace podium::options_test
