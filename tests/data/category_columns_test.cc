// Categories and ignored columns in text: reading, independent of blocks, threads and row order,
// and writing.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/formats/column_types.h"
#include "data/io_support.h"
#include "data/preparation_support.h"
#include "support/temporary_folder.h"

namespace podium::category_columns_test {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::FromMemory;
using ::testing::HasSubstr;
using testing::Reading;
using testing::row_of;
using testing::TemporaryFolder;

constexpr const char* kShop =
    "label,qid,brand,price,url,size\n"
    "1,a,zenith,3,http://x/1,10\n"
    "0,a,acme,4,\"http://x/2,3\",9\n"
    "2,b,,5,,\n"
    "0,b,NA,6,none,10\n"
    "0,b,\"acme\",7,1,2\n";

FromMemory shop(const std::string& categorical = "brand,6", const std::string& ignore = "url") {
  FromMemory from;
  from.options.categorical = categorical;
  from.options.ignore = ignore;
  return from;
}

std::vector<std::string> values_of(const Dataset& data, std::size_t feature) {
  std::vector<std::string> values;
  const Strings* const stored = data.schema().values(feature);
  for (std::size_t i = 0; stored && i < stored->size(); ++i) values.emplace_back((*stored)[i]);
  return values;
}

// The text of each document's category; "" if it is missing.
std::vector<std::string> texts_of(const Dataset& data, std::size_t feature) {
  std::vector<std::string> texts;
  for (std::size_t d = 0; d < data.documents(); ++d) {
    const float value = row_of(data, d)[feature];
    const auto code = code_of(value, data.schema().values(feature)->size());
    EXPECT_EQ(code.has_value(), !std::isnan(value));
    texts.emplace_back(code ? (*data.schema().values(feature))[*code] : "");
  }
  return texts;
}

TEST(CategoryColumns, OfCsvAreNamedOrNumbered) {
  const Dataset data = shop().csv(kShop);
  EXPECT_THAT(data.feature_names(), ElementsAre("brand", "price", "size"));
  EXPECT_EQ(data.schema().type(1), FeatureType::number);
  EXPECT_THAT(values_of(data, 0), ElementsAre("acme", "zenith"));
  EXPECT_THAT(values_of(data, 2), ElementsAre("2", "9", "10"));
  EXPECT_THAT(texts_of(data, 0), ElementsAre("zenith", "acme", "", "", "acme"));
  EXPECT_THAT(texts_of(data, 2), ElementsAre("10", "9", "", "10", "2"));
  EXPECT_THAT(data.schema().ignored(), ElementsAre("url"));
  EXPECT_EQ(row_of(data, 4)[1], 7);
}

TEST(CategoryColumns, DependOnValuesAlone) {
  std::string text = "label,qid,a,b\n", turned;
  for (int i = 0; i < 200; ++i) {
    const std::string row = fmt::format("{},{},v{},{}\n", i % 3, i / 10, i * 37 % 61, i * 7 % 23);
    text += row;
    turned.insert(0, row);
  }
  const FromMemory plain = shop("a,b", "");
  const Dataset data = plain.csv(text);
  for (const std::size_t block_bytes : {1, 50, 1000})
    for (const int threads : {1, 3}) {
      FromMemory from = plain;
      from.block_bytes = block_bytes;
      from.threads = threads;
      testing::expect_same_data(from.csv(text), data);
    }
  const Dataset other = plain.csv("label,qid,a,b\n" + turned);
  EXPECT_EQ(other.schema().hash(), data.schema().hash());
  EXPECT_EQ(values_of(data, 0).size(), 61U);
  EXPECT_EQ(row_of(other, 199), row_of(data, 0));
}

// Most codes are 0, which sparse rows leave out.
TEST(CategoryColumns, MayBeSparse) {
  std::string csv = "label,qid,c,x1,x2,x3,x4\n", letor;
  for (int i = 0; i < 100; ++i) {
    csv += fmt::format("0,q,{},0,0,0,0\n", i == 50 ? "b" : "a");
    letor += fmt::format("0 qid:q {}9:{}\n", i == 50 ? "2:7 " : "", i % 2);
  }
  const Dataset data = shop("c", "").csv(csv);
  EXPECT_FALSE(data.is_dense());
  EXPECT_EQ(texts_of(data, 0)[50], "b");
  EXPECT_EQ(texts_of(data, 0)[51], "a");
  EXPECT_EQ(data.parts().values.size(), 1U);
  const Dataset numbered = shop("2", "").letor(letor);
  EXPECT_FALSE(numbered.is_dense());
  EXPECT_THAT(values_of(numbered, 1), ElementsAre("0", "7"));
  EXPECT_EQ(texts_of(numbered, 1)[50], "7");
  EXPECT_EQ(texts_of(numbered, 1)[51], "0");
}

TEST(CategoryColumns, OfLetorAreNumbersOfFeatures) {
  FromMemory from = shop("2", "3");
  const std::string text = "1 qid:1 1:0.5 2:300 3:1\n0 qid:1 2:7 1:0.25 3:2\n0 qid:1 1:1\n";
  const Dataset zero = from.letor(text);
  EXPECT_THAT(zero.feature_names(), ElementsAre("1", "2"));
  EXPECT_THAT(values_of(zero, 1), ElementsAre("0", "7", "300"));
  EXPECT_THAT(texts_of(zero, 1), ElementsAre("300", "7", "0"));
  EXPECT_THAT(zero.schema().ignored(), ElementsAre("3"));
  from.options.absent = AbsentFeatures::missing;
  const Dataset missing = from.letor(text);
  EXPECT_THAT(values_of(missing, 1), ElementsAre("7", "300"));
  EXPECT_THAT(texts_of(missing, 1), ElementsAre("300", "7", ""));
  from.options.first_feature = 0;
  EXPECT_THAT(values_of(from.letor("0 qid:1 0:1 1:2 2:4 3:8\n"), 2), ElementsAre("4"));
}

TEST(CategoryColumns, ErrorsHaveALocation) {
  const auto csv = [](const std::string& categorical, const std::string& ignore) {
    return error_of([&] { shop(categorical, ignore).csv(kShop); });
  };
  EXPECT_THAT(
      csv("brnd", "url"),
      HasSubstr("data:1: there is no column 'brnd', which ‹categorical› names, did you mean "
                "brand?"));
  EXPECT_THAT(csv("9", "url"), HasSubstr("data:1: there is no column '9'"));
  EXPECT_THAT(csv("label", "url"), HasSubstr("data:1: ‹categorical›: column 'label' has another"));
  EXPECT_THAT(csv("2", "url"), HasSubstr("column 'qid' has another role already"));
  EXPECT_THAT(csv("", "url,brand,qid"), HasSubstr("‹ignore›: column 'qid' has another role"));
  EXPECT_THAT(csv("brand", "brand"), HasSubstr("‹categorical› and ‹ignore› both name"));
  EXPECT_THAT(csv("brand,", ""), HasSubstr("has an empty item"));
  EXPECT_THAT(csv("brand", ""), HasSubstr("data:2: 'url' is 'http://x/1', which is not a number"));

  const auto letor = [](const std::string& text, const std::string& categorical) {
    return error_of([&] { shop(categorical, "").letor(text); });
  };
  const auto wrong = HasSubstr("codes of categories are whole numbers from 0 to 16777215");
  EXPECT_THAT(letor("0 qid:1 2:1\n\n0 qid:1 2:1.5\n", "2"),
              HasSubstr("data:3: the value of feature 2 is 1.5"));
  EXPECT_THAT(letor("0 qid:1 2:-1\n", "2"), wrong);
  EXPECT_THAT(letor("0 qid:1 2:16777216\n", "2"), wrong);
  EXPECT_THAT(
      letor("0 qid:1 2:1\n", "brand"),
      HasSubstr("‹categorical› names 'brand', but features of LETOR text have numbers from 1"));
  EXPECT_THAT(
      letor("0 qid:1 2:1\n", "3"),
      HasSubstr("data: no row has the feature 3, which ‹categorical› names; the last one is 2"));
  EXPECT_THAT(letor("0 qid:1\n", "3"), HasSubstr("which ‹categorical› names; there is none"));
  FromMemory all = shop("", "1,2");
  EXPECT_THAT(error_of([&] { all.letor("0 qid:1 2:1\n"); }), HasSubstr("none is left"));
}

TEST(CategoryColumns, MayComeFromASchemaFile) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& json) {
    FromMemory from = shop("", "");
    from.options.schema = folder.write("schema.json", json);
    return from;
  };
  const Dataset data =
      with(R"({"features": {"brand": "category", "url": "ignored", "price": "number"}})")
          .csv(kShop);
  EXPECT_EQ(data.schema().type(0), FeatureType::category);
  EXPECT_THAT(data.feature_names(), ElementsAre("brand", "price", "size"));
  FromMemory both = with(R"({"features": {"brand": "category", "url": "category"}})");
  both.options.ignore = "url";
  EXPECT_EQ(both.csv(kShop).features(), 3U);
  const auto problem = [&](const std::string& json) {
    return error_of([&] { with(json).csv(kShop); });
  };
  EXPECT_THAT(problem("{"), HasSubstr("schema.json: bad schema: it is not JSON"));
  EXPECT_THAT(problem(R"({"columns": {}})"), HasSubstr("one member, \"features\""));
  EXPECT_THAT(problem(R"({"features": {"brand": "text"}})"), HasSubstr("'brand' is neither"));
  EXPECT_THAT(problem(R"({"features": {"colour": "category"}})"),
              HasSubstr("data:1: there is no column 'colour', which "));
}

TEST(CategoryColumns, ThatAModelExpectsMayBeAbsent) {
  FromMemory from;
  from.options.expected = {{"brand", FeatureType::category},
                           {"url", FeatureType::ignored},
                           {"colour", FeatureType::category},
                           {"6", FeatureType::category}};
  const Dataset data = from.csv(kShop);
  EXPECT_EQ(data.schema().categories().size(), 1U);
  EXPECT_EQ(from.letor("0 qid:1 1:1\n").schema().categories().size(), 0U);
}

TEST(CategoryColumns, AreWrittenByNameAndReadBack) {
  const TemporaryFolder folder;
  Reading reading;
  const Dataset data = shop().csv(kShop);
  ReadOptions options;
  options.categorical = "brand,size";
  for (const char* name : {"a.csv", "a.tsv", "a.podium"}) {
    write_dataset(data, folder.file(name), reading.context);
    testing::expect_same_data(read_dataset(folder.file(name), options, reading.context), data);
  }
  EXPECT_THAT(reading.notes[0], HasSubstr("a.csv: read it with ‹categorical brand,size›"));
  EXPECT_EQ(reading.notes.size(), 2U);
  DatasetParts parts = data.parts();
  parts.schema = FeatureSchema({{0, make_strings(std::vector<std::string>{"NA", "zenith"})}});
  EXPECT_THAT(
      error_of([&] { write_dataset(Dataset(parts), folder.file("b.csv"), reading.context); }),
      HasSubstr("the category 'NA' of 'brand' would be read from CSV as a missing value"));
}

TEST(CategoryColumns, AreWrittenToLetorAsNumbers) {
  const TemporaryFolder folder;
  Reading reading;
  write_dataset(shop().csv(kShop), folder.file("a.txt"), reading.context);
  EXPECT_EQ(testing::bytes_of_file(folder.file("a.txt")),
            "1 qid:a 1:1 2:3 3:10\n0 qid:a 1:0 2:4 3:9\n2 qid:b 1:nan 2:5 3:nan\n"
            "0 qid:b 1:nan 2:6 3:10\n0 qid:b 1:0 2:7 3:2\n");
  EXPECT_THAT(reading.notes, ::testing::Contains(HasSubstr("read it with ‹categorical 1,3›")));
  EXPECT_THAT(reading.notes,
              ::testing::Contains(HasSubstr("no names for the categories of feature 1;")));

  // Sparse rows must mention code 0 if it is written as another number.
  std::string text;
  for (int i = 0; i < 50; ++i) text += fmt::format("0 qid:1 3:{} 9:0\n", i == 7 ? 8 : 5);
  const FromMemory from = shop("3", "");
  const Dataset data = from.letor(text);
  EXPECT_FALSE(data.is_dense());
  EXPECT_THAT(values_of(data, 2), ElementsAre("5", "8"));
  write_dataset(data, folder.file("b.txt"), reading.context);
  testing::expect_same_data(read_dataset(folder.file("b.txt"), from.options, reading.context),
                            data);
}

TEST(CategoryColumns, AreStoredInPodiumFiles) {
  const TemporaryFolder folder;
  Reading reading;
  const std::string path = folder.file("a.podium");
  write_dataset(shop().csv(kShop), path, reading.context);
  ReadOptions options;
  options.ignore = "brand,url";
  const Dataset data = read_dataset(path, options, reading.context);
  EXPECT_THAT(data.feature_names(), ElementsAre("price", "size"));
  EXPECT_EQ(data.schema().type(1), FeatureType::category);
  EXPECT_THAT(data.schema().ignored(), ElementsAre("url", "brand"));
  options.ignore = "";
  options.categorical = "price";
  EXPECT_THAT(
      error_of([&] { read_dataset(path, options, reading.context); }),
      HasSubstr("‹categorical› says that 'price' is a category, but it was prepared as a number"));
  options.categorical = "colour";
  EXPECT_THAT(error_of([&] { read_dataset(path, options, reading.context); }),
              HasSubstr("there is no feature 'colour', which ‹categorical› names"));
}

TEST(ColumnTypes, ComeFromOptionsThenFileThenModel) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.categorical = "a, b,a";
  options.schema = folder.write("s.json", R"({"features": {"b": "ignored", "c": "ignored"}})");
  options.expected = {{"c", FeatureType::category}, {"d", FeatureType::category}};
  std::vector<std::string> wanted;
  for (const WantedType& one : wanted_types(options))
    wanted.push_back(fmt::format("{} {}", one.column, to_text(one.type)));
  EXPECT_THAT(wanted, ElementsAre("a category", "b category", "c ignored", "d category"));
}

}  // namespace
}  // namespace podium::category_columns_test
