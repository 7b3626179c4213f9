#include "data/formats/csv_reader.h"

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"

namespace podium::csv_reader_test {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::FromMemory;
using ::testing::HasSubstr;
using testing::row_of;

TEST(CsvReader, ReadsColumnsByName) {
  const Dataset data = FromMemory().csv(
      "bm25,qid,label,docid,weight,position,host,\"page, rank\"\r\n"
      "1.5,a,2,d1,0.5,1,h1,0.25\r\n"
      "2.5,a,0,\"d \"\"2\"\"\",1,2,h2,\r\n"
      "NA,b,1,d3,1,1,\"h,3\",\"-1e2\"\r\n");
  EXPECT_THAT(data.feature_names(), ElementsAre("bm25", "page, rank"));
  EXPECT_EQ(data.queries(), 2U);
  EXPECT_THAT(data.labels(), ElementsAre(2, 0, 1));
  EXPECT_THAT(data.document_weights(0), ElementsAre(0.5F, 1));
  EXPECT_THAT(data.positions(0), ElementsAre(1, 2));
  EXPECT_EQ(data.docid(1), "d \"2\"");
  EXPECT_EQ(data.host(2), "h,3");
  EXPECT_THAT(row_of(data, 0), ElementsAre(1.5F, 0.25F));
  EXPECT_TRUE(std::isnan(row_of(data, 1)[1]));
  EXPECT_TRUE(std::isnan(row_of(data, 2)[0]));
  EXPECT_EQ(row_of(data, 2)[1], -100);
}

TEST(CsvReader, ReadsTabsAndOtherNames) {
  const Dataset data = FromMemory().csv("grade\tquery\tx\n1\tq 1\t3\n", '\t');
  EXPECT_EQ(data.qid(0), "q 1");
  FromMemory renamed;
  renamed.options.label_column = "clicks";
  renamed.options.qid_column = "session";
  const Dataset other = renamed.csv("session,label,clicks\ns,5,1\n");
  EXPECT_THAT(other.labels(), ElementsAre(1));
  EXPECT_THAT(other.feature_names(), ElementsAre("label"));
}

TEST(CsvReader, TruthValuesAreOneAndZero) {
  const Dataset data =
      FromMemory().csv("label,qid,x\nTrue,a,true\nFALSE,a,False\n1,a,\"TRUE\"\nfalse,a,\n");
  EXPECT_THAT(data.labels(), ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(row_of(data, 0)[0], 1);
  EXPECT_EQ(row_of(data, 1)[0], 0);
  EXPECT_EQ(row_of(data, 2)[0], 1);
  EXPECT_TRUE(std::isnan(row_of(data, 3)[0]));
}

TEST(CsvReader, TextIsNoErrorWhereNobodyNeedsIt) {
  const std::string text = "label,qid,title,x,spare\n1,a,hat,2,3\n0,a,\"a, b\",4,5\n";
  FromMemory from;
  from.options.needed = {"x"};
  const Dataset data = from.csv(text);
  EXPECT_THAT(data.feature_names(), ElementsAre("title", "x", "spare"));
  EXPECT_TRUE(std::isnan(row_of(data, 0)[0]));
  EXPECT_EQ(row_of(data, 1)[1], 4);
  EXPECT_EQ(row_of(data, 1)[2], 5);
  for (const auto& needed : {std::vector<std::string>{"title"}, {"x", "1-2"}, {"3"}, {}}) {
    from.options.needed = needed;
    EXPECT_THAT(error_of([&] { from.csv(text); }), HasSubstr("data:2: 'title' is 'hat'"));
  }
}

struct Mistake {
  const char* text;
  const char* message;
};

class CsvMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(CsvMistakes, AreReportedWithTheirLine) {
  for (const std::size_t block_bytes : {1, 1 << 20}) {
    FromMemory from;
    from.block_bytes = block_bytes;
    from.options.max_line_bytes = 100;
    from.options.max_features = 5;
    EXPECT_THAT(error_of([&] { from.csv(GetParam().text); }), HasSubstr(GetParam().message))
        << GetParam().text;
  }
}

const std::string kLongLine = "label,qid,x\n1,a," + std::string(200, '1') + "\n";

INSTANTIATE_TEST_SUITE_P(
    All, CsvMistakes,
    ::testing::Values(
        Mistake{"", "data: the file is empty"},
        Mistake{"label,qid,x\n", "data: the file holds no rows"},
        Mistake{"qid,x\n",
                "data:1: no column 'label': name it with ‹label-column›; there are qid, x"},
        Mistake{"0,1,0.5,\n1,1,2,3\n",
                "data:1: numbers in the line of names: ‹no-header› reads files without one"},
        Mistake{"label,x\n", "data:1: no column 'qid'"},
        Mistake{"label,grade,qid\n", "data:1: both 'label' and 'grade' would fit"},
        Mistake{"label,qid,x,x\n", "data:1: two columns are named 'x'"},
        Mistake{"label,qid,,x\n", "data:1: column 3 has no name"},
        Mistake{"label,qid,a,b,c,d,e,f\n", "raise ‹max-features›"},
        Mistake{"label,qid,\"x\n", "data:1: a quoted field does not end on its line"},
        Mistake{"label,qid,x\n1,a\n", "data:2: the row does not have 3 fields"},
        Mistake{"label,qid,x\n1,a,2\n\n1,a,2,3\n", "data:4: the row does not have 3 fields"},
        Mistake{"label,qid,x\n1,a,two\n", "data:2: 'x' is 'two', which is not a number"},
        Mistake{"label,qid,x\n1,a,two\n", "number; ‹ignore x› leaves it out, ‹categorical› makes"},
        Mistake{"label,qid,x,y,z\n1,a,\"two, 2\",5,six\n",
                "'x' is 'two, 2', which is not a number (nor is z); ‹ignore x,z› leaves them out"},
        Mistake{"label,qid,x\n1,a,Truer\n", "data:2: 'x' is 'Truer', which is not a number"},
        Mistake{"label,qid,x\nyes,a,1\n", "data:2: 'label' is 'yes', which is not a number"},
        Mistake{"label,qid,x\n1,a,inf\n", "data:2: 'x' is 'inf': values must be finite"},
        Mistake{"label,qid,x\n1,a,1e99\n", "data:2: 'x' is '1e99', which does not fit"},
        Mistake{"label,qid,x\n,a,1\n", "data:2: 'label' is empty"},
        Mistake{"label,qid,x\n1,,1\n", "data:2: 'qid' is empty"},
        Mistake{"label,qid,x\n1,\"a,1\n", "data:2: a quoted field does not end on its line"},
        Mistake{"label,qid,x\n1,\"a\"b,1\n", "data:2: text after the closing quote"},
        Mistake{"label,qid,weight\n1,a,-1\n", "data:2: 'weight' is '-1': weights must be >= 0"},
        Mistake{"label,qid,position\n1,a,x\n",
                "data:2: 'position' is 'x', which is not a position"},
        Mistake{kLongLine.c_str(), "data:2: the line is longer than 100 bytes"}));

TEST(CsvReader, NamesTheNearestColumn) {
  FromMemory from;
  from.options.label_column = "clicsk";
  EXPECT_THAT(error_of([&] { from.csv("clicks,qid,x\n1,a,1\n"); }),
              HasSubstr("‹label-column›: there is no column 'clicsk', did you mean clicks?"));
}

TEST(CsvReader, BlocksAndThreadsDoNotChangeTheData) {
  std::string text = "x1,label,qid,x2,docid\n";
  for (int i = 0; i < 200; ++i)
    text += fmt::format("{},{},q{},{},d{}\n", i * 0.37, i % 3, i / 7 % 20, -i, i);
  const Dataset whole = FromMemory().csv(text);
  for (const std::size_t block_bytes : {1, 50, 500}) {
    FromMemory from;
    from.block_bytes = block_bytes;
    from.threads = 3;
    testing::expect_same_data(whole, from.csv(text));
  }
}

TEST(CsvReader, StoresMostlyZerosAsSparseRows) {
  std::string text = "label,qid,a,b,c,d,e,f,g,h\n";
  for (int i = 0; i < 10; ++i) text += "0,1,0,0,0,5,0,0,0,0\n";
  const Dataset data = FromMemory().csv(text);
  EXPECT_FALSE(data.is_dense());
  EXPECT_EQ(row_of(data, 3)[3], 5);
  EXPECT_EQ(row_of(data, 3)[4], 0);
}

}  // namespace
}  // namespace podium::csv_reader_test
