#include "data/formats/letor_reader.h"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "data/io_support.h"

namespace podium::letor_reader_test {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::FromMemory;
using ::testing::HasSubstr;
using testing::row_of;

TEST(LetorReader, ReadsRows) {
  const Dataset data = FromMemory().letor(
      "2 qid:10 1:0.5 2:-1 3:3 #docid = GX029-35 inc = 0.01 prob = 0.13\n"
      "0 qid:10 1:0.25 2:0 3:7\n"
      "1 qid:11 1:1e-3 2:.5 3:8 # 7555\trambo\n");
  EXPECT_EQ(data.queries(), 2U);
  EXPECT_EQ(data.documents(), 3U);
  EXPECT_EQ(data.features(), 3U);
  EXPECT_TRUE(data.is_dense());
  EXPECT_EQ(data.qid(0), "10");
  EXPECT_EQ(data.end(0), 2U);
  EXPECT_THAT(data.labels(), ElementsAre(2, 0, 1));
  EXPECT_THAT(row_of(data, 0), ElementsAre(0.5F, -1, 3));
  EXPECT_THAT(row_of(data, 2), ElementsAre(0.001F, 0.5F, 8));
  EXPECT_THAT(data.feature_names(), ElementsAre("1", "2", "3"));
  EXPECT_EQ(data.docid(0), "GX029-35");
  EXPECT_EQ(data.docid(1), "");
  EXPECT_EQ(data.docid(2), "7555");
}

// Features 1, 2, … after single blanks have a fast path, which must give the same results.
TEST(LetorReader, LeadingFeaturesAreReadLikeOthers) {
  Random random(7, 1);
  const std::vector<std::string> shapes = {
      "0",      "-0",        "17",          "0.485149", "-12.3456", "-1234567", "123456789",
      "1e-3",   ".5",        "nan",         "+2",       "16777217", "5.",       "0.1234567891",
      "-6.244", "0.0000001", "3.402823e38", "99999999", "-.25"};
  for (const std::size_t width : {1, 9, 10, 300, 5000}) {
    std::string usual, tabs;
    for (int row = 0; row < 4; ++row) {
      usual += "1 qid:1";
      tabs += "1\tqid:1";
      for (std::size_t f = 1; f <= width; ++f) {
        const std::string entry = fmt::format("{}:{}", f, shapes[random.below(shapes.size())]);
        usual += " " + entry;
        tabs += "\t" + entry;
      }
      usual += row == 2 ? " # 7\n" : "\n";
      tabs += row == 2 ? "\t# 7\n" : "\n";
    }
    const Dataset a = FromMemory().letor(usual), b = FromMemory().letor(tabs);
    ASSERT_EQ(a.features(), width);
    EXPECT_EQ(a.fingerprint(), b.fingerprint()) << width;
    EXPECT_EQ(a.docid(2), "7");
  }
}

TEST(LetorReader, LeadingFeaturesMayContinueInOtherForms) {
  const Dataset data = FromMemory().letor(
      "1 qid:1 1:1 2:2 5:5 6:6\n"
      "1 1:1 2:2 qid:1 3:3 4:4\n"
      "1 qid:1 1:1 2:2\t3:3  4:4 5:5\r\n"
      "1 qid:1 1:1 2:2 4:4 3:3 6:6#c\n");
  EXPECT_THAT(row_of(data, 0), ElementsAre(1, 2, 0, 0, 5, 6));
  EXPECT_THAT(row_of(data, 1), ElementsAre(1, 2, 3, 4, 0, 0));
  EXPECT_THAT(row_of(data, 2), ElementsAre(1, 2, 3, 4, 5, 0));
  EXPECT_THAT(row_of(data, 3), ElementsAre(1, 2, 3, 4, 0, 6));
  FromMemory from_zero;
  from_zero.options.first_feature = 0;
  EXPECT_THAT(row_of(from_zero.letor("1 qid:1 0:7 1:8 2:9\n"), 0), ElementsAre(7, 8, 9));
}

TEST(LetorReader, ErrorsAfterLeadingFeaturesAreReported) {
  for (const char* bad : {"2\x01", "12345678x", "2-", "2/3", "1.2.3", "--2", "-"})
    EXPECT_THAT(error_of([&] { FromMemory().letor(fmt::format("1 qid:1 1:1 2:{} 3:3\n", bad)); }),
                HasSubstr("the value of feature 2"))
        << bad;
  FromMemory few;
  few.options.max_features = 2;
  EXPECT_EQ(few.letor("1 qid:1 1:1 2:2\n").features(), 2U);
  EXPECT_THAT(error_of([&] { few.letor("1 qid:1 1:1 2:2 3:3\n"); }), HasSubstr("feature 3"));
  EXPECT_THAT(error_of([] { FromMemory().letor("1 qid:1 1:1 2:2 2:3\n"); }), HasSubstr("twice"));
}

TEST(LetorReader, AcceptsRealWorldVariants) {
  const Dataset data = FromMemory().letor(
      "\xEF\xBB\xBF# a comment line\r\n"
      "\r\n"
      "   \t\n"
      "+1\tqid:GX-1\t2:5\t1:4  \r\n"
      "-1 qid:GX-1 1:nan 2:NULL #docid=a=b host = example.com\r\n"
      "0.75 qid:q#2 2:1#no space");
  EXPECT_THAT(data.labels(), ElementsAre(1, -1, 0.75F));
  EXPECT_EQ(data.qid(0), "GX-1");
  EXPECT_EQ(data.qid(1), "q#2");
  EXPECT_THAT(row_of(data, 0), ElementsAre(4, 5));
  EXPECT_TRUE(std::isnan(row_of(data, 1)[0]) && std::isnan(row_of(data, 1)[1]));
  EXPECT_THAT(row_of(data, 2), ElementsAre(0, 1));
  EXPECT_EQ(data.docid(1), "a=b");
  EXPECT_EQ(data.host(1), "example.com");
  EXPECT_EQ(data.docid(2), "no");
}

TEST(LetorReader, AHostAloneIsNotADocumentId) {
  const Dataset data = FromMemory().letor("1 qid:1 1:1 # host = example.com\n");
  EXPECT_FALSE(data.has_docids());
  EXPECT_EQ(data.host(0), "example.com");
}

TEST(LetorReader, ReadsWeightsAfterTheLabel) {
  const Dataset data = FromMemory().letor("1:0.5 qid:1 1:1\n0:2 qid:1 1:2\n");
  EXPECT_THAT(data.document_weights(0), ElementsAre(0.5F, 2));
  EXPECT_THAT(error_of([] { FromMemory().letor("1:0.5 qid:1 1:1\n0 qid:1 1:2\n"); }),
              HasSubstr("data:2: this row has no weight, unlike line 1"));
}

TEST(LetorReader, AbsentFeaturesAreZeroOrMissing) {
  const std::string text = "1 qid:1 2:5\n0 qid:1 1:1 2:2\n";
  EXPECT_THAT(row_of(FromMemory().letor(text), 0), ElementsAre(0, 5));
  FromMemory missing;
  missing.options.absent = AbsentFeatures::missing;
  EXPECT_TRUE(std::isnan(row_of(missing.letor(text), 0)[0]));
}

TEST(LetorReader, CountsFeaturesFromZeroOnRequest) {
  FromMemory from_zero;
  from_zero.options.first_feature = 0;
  const Dataset data = from_zero.letor("1 qid:1 0:5 1:6\n");
  EXPECT_THAT(data.feature_names(), ElementsAre("0", "1"));
  EXPECT_THAT(row_of(data, 0), ElementsAre(5, 6));
}

TEST(LetorReader, StoresSparseRowsWhenFewValuesArePresent) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += fmt::format("0 qid:1 {}:1 90:2\n", i + 1);
  const Dataset data = FromMemory().letor(text);
  EXPECT_FALSE(data.is_dense());
  EXPECT_EQ(data.features(), 90U);
  EXPECT_EQ(data.parts().values.size(), 100U);
  EXPECT_EQ(row_of(data, 7)[7], 1);
  EXPECT_EQ(row_of(data, 7)[8], 0);
  EXPECT_EQ(row_of(data, 49)[89], 2);
}

TEST(LetorReader, RegroupsSeparatedRowsWithANote) {
  std::vector<std::string> notes;
  FromMemory from;
  from.notes = &notes;
  const Dataset data = from.letor(
      "0 qid:7 1:1 # a\n1 qid:8 1:2 # b\n2 qid:7 1:3 # c\n3 qid:8 1:4 # d\n4 qid:8 1:5 # e\n");
  EXPECT_EQ(data.queries(), 2U);
  EXPECT_THAT(data.labels(), ElementsAre(0, 2, 1, 3, 4));
  EXPECT_EQ(data.docid(1), "c");
  EXPECT_EQ(row_of(data, 1)[0], 3);
  EXPECT_EQ(data.input_row(1), 2U);
  EXPECT_EQ(data.input_row(4), 4U);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "data: 1 row was not next to the others of its qid and has been regrouped (qid 7: "
            "rows 3)");
}

struct Mistake {
  const char* text;
  const char* message;
};

class LetorMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(LetorMistakes, AreReportedWithTheirLine) {
  for (const std::size_t block_bytes : {1, 1 << 20}) {
    const std::string message = error_of([&] {
      FromMemory from;
      from.block_bytes = block_bytes;
      from.options.max_features = 1000;
      from.options.max_line_bytes = 200;
      from.letor(GetParam().text);
    });
    EXPECT_THAT(message, HasSubstr(GetParam().message)) << GetParam().text;
  }
}

const std::string kLongLine = "1 qid:1 1:1\n1 qid:1 1:" + std::string(300, '1') + "\n";

INSTANTIATE_TEST_SUITE_P(
    All, LetorMistakes,
    ::testing::Values(
        Mistake{"", "data: the file is empty"},
        Mistake{"\n# nothing\n", "data: the file holds no rows"},
        Mistake{"1 qid:1 1:1 1:2\n", "data:1: feature 1 is given twice"},
        Mistake{"1 qid:1 3:1 2:2 3:3\n", "data:1: feature 3 is given twice"},
        Mistake{"1 qid:1 1:1\n\nx qid:1 1:2\n", "data:3: the label is 'x', which is not a number"},
        Mistake{"nan qid:1 1:2\n", "data:1: the label is missing ('nan')"},
        Mistake{"1 qid:1 1:1\n# c\n1 qid:1 1:abc 2:1\n",
                "data:3: the value of feature 1 is 'abc', which is not a number"},
        Mistake{"1 qid:1 1: 5\n", "data:1: '5' is not of the form FEATURE:VALUE"},
        Mistake{"1 qid:1 1:0x10\n", "data:1: the value of feature 1 is '0x10'"},
        Mistake{"1 qid:1 1:inf\n",
                "data:1: the value of feature 1 is 'inf': values must be finite"},
        Mistake{"1 qid:1 1:1e39\n", "data:1: the value of feature 1 is '1e39', which does not fit"},
        Mistake{"1 qid:1 0:1\n",
                "data:1: feature 0: ids are counted from 1; read a file that counts"},
        Mistake{"1 qid:1 -3:1\n", "data:1: '-3:1': feature ids cannot be negative"},
        Mistake{"1 qid:1 1001:1\n",
                "data:1: feature 1001: ids go up to 1000; raise ‹max-features›"},
        Mistake{"1 qid:1 99999999999999999999999:1\n",
                "data:1: feature 99999999999999999999999: ids"},
        Mistake{"1 qid:1 18446744073709551617:1\n", "data:1: feature 18446744073709551617: ids"},
        Mistake{"1 qid:1 5\n", "data:1: '5' is not of the form FEATURE:VALUE"},
        Mistake{"1 qid:1 sid:5\n", "data:1: 'sid:5' is neither"},
        Mistake{"1 qid: 1:5\n", "data:1: 'qid:' without an id"},
        Mistake{"1 qid:1 1:5 qid:2\n", "data:1: a second qid"},
        Mistake{"1 1:5\n",
                "data:1: no qid: write `qid:ID` after the label, or put the group sizes "
                "into data.query"},
        Mistake{"1 qid:1 1:5\n\n1 1:5\n", "data:3: this row has no qid, unlike line 1"},
        Mistake{"1 1:5\n1 qid:1 1:5\n", "data:2: this row has a qid, unlike line 1"},
        Mistake{kLongLine.c_str(),
                "data:2: the line is longer than 200 bytes; raise ‹max-line-bytes›"}));

// Rows of all sorts, as text.
std::string random_text(Random& random) {
  std::string text;
  const std::uint64_t rows = 1 + random.below(40), width = 1 + random.below(30);
  const std::uint64_t percent = random.below(101);
  for (std::uint64_t r = 0; r < rows; ++r) {
    text += fmt::format("{} qid:{}", random.below(5), random.below(6));
    for (std::uint64_t f = 1; f <= width; ++f)
      if (random.below(100) < percent)
        text += fmt::format(" {}:{}", f, static_cast<float>(random.uniform() - 0.3));
    if (random.below(2)) text += fmt::format(" # docid = d{}", random.below(100));
    text += random.below(8) ? "\n" : "\r\n\n# between\n";
  }
  return text;
}

TEST(LetorReader, BlocksAndThreadsDoNotChangeTheData) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    const std::string text = random_text(random);
    const Dataset whole = FromMemory().letor(text);
    for (const std::size_t block_bytes : {1, 60, 300}) {
      for (const int threads : {1, 3}) {
        FromMemory from;
        from.block_bytes = block_bytes;
        from.threads = threads;
        const Dataset blocks = from.letor(text);
        testing::expect_same_data(whole, blocks);
        EXPECT_EQ(whole.is_dense(), blocks.is_dense());
      }
    }
  }
}

TEST(LetorReader, TheFirstErrorIsReportedForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += i == 57 || i == 150 ? "1 qid:1 1:x\n" : "1 qid:1 1:1\n";
  for (const int threads : {1, 4}) {
    FromMemory from;
    from.block_bytes = 50;
    from.threads = threads;
    EXPECT_THAT(error_of([&] { from.letor(text); }), HasSubstr("data:58:"));
  }
}

}  // namespace
}  // namespace podium::letor_reader_test
