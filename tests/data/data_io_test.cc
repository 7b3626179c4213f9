// Files as users have them: suffixes, side files, round trips through every format, real data.
#include "podium/data_io.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "data/io_support.h"
#include "support/temporary_folder.h"

namespace podium::data_io_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Reading;
using testing::TemporaryFolder;

Dataset read(const std::string& path, const ReadOptions& options = {}) {
  Reading reading(2);
  return read_dataset(path, options, reading.context);
}

std::vector<std::string> write(const Dataset& data, const std::string& path) {
  Reading reading(2);
  write_dataset(data, path, reading.context);
  return reading.notes;
}

float random_value(Random& random) {
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return -0.0F;
    case 2:
      return std::numeric_limits<float>::quiet_NaN();
    case 3:
      return static_cast<float>(random.below(100));
    default:
      for (;;) {
        const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
        if (std::isfinite(any)) return any;
      }
  }
}

// Data sets of every kind: dense or sparse, with and without the optional parts.
Dataset random_dataset(std::uint64_t seed) {
  Random random(seed);
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids, docids, hosts;
  std::vector<float> labels, weights;
  std::vector<std::int32_t> positions;
  for (std::uint64_t q = 0, n = 1 + random.below(6); q < n; ++q) {
    begin.push_back(begin.back() + 1 + random.below(9));
    qids.push_back(fmt::format("q{}", q));
  }
  const std::uint64_t documents = begin.back();
  for (std::uint64_t d = 0; d < documents; ++d) {
    labels.push_back(static_cast<float>(random.below(5)) / 2);
    docids.push_back(fmt::format("d={}", random.next()));
    hosts.push_back(d % 2 ? "www.example.com" : "");
    weights.push_back(static_cast<float>(random.uniform()));
    positions.push_back(static_cast<std::int32_t>(random.below(10)));
  }
  parts.features = 1 + random.below(20);
  std::vector<float> dense, values;
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  const bool sparse = random.below(2) == 1;
  for (std::uint64_t d = 0; d < documents; ++d) {
    for (std::uint32_t f = 0; f < parts.features; ++f) {
      dense.push_back(random_value(random));
      if (random.below(8)) continue;
      columns.push_back(f);
      values.push_back(dense.back());
    }
    row_begin.push_back(columns.size());
  }
  if (sparse) {
    parts.row_begin = row_begin;
    parts.columns = columns;
    parts.values = values;
  } else {
    parts.dense = dense;
  }
  parts.query_begin = begin;
  parts.qids = make_strings(qids);
  parts.labels = labels;
  if (random.below(2)) parts.docids = make_strings(docids);
  if (random.below(2) && documents > 1) parts.hosts = make_strings(hosts);
  if (random.below(2)) parts.document_weights = weights;
  if (random.below(2)) parts.positions = positions;
  return Dataset(std::move(parts));
}

TEST(DataIo, EveryFormatRoundTrips) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"a.txt",    "a.txt.gz", "a.letor.zst", "a.csv",
                                          "a.csv.gz", "a.tsv",    "a.tsv.zst",   "a.podium"};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset data = random_dataset(seed);
    for (const std::string& name : names) {
      const TemporaryFolder own;
      write(data, own.file(name));
      SCOPED_TRACE(fmt::format("seed {} {}", seed, name));
      const Dataset back = read(own.file(name));
      testing::expect_same_data(data, back);
      EXPECT_EQ(back.feature_names(), data.feature_names());
      EXPECT_TRUE(name != "a.podium" || back.is_dense() == data.is_dense());
      write(back, own.file("b.csv"));
      testing::expect_same_data(data, read(own.file("b.csv")));
    }
  }
}

TEST(DataIo, FeatureNumbersSurviveSelection) {
  const TemporaryFolder folder;
  DatasetParts parts = Dataset(random_dataset(3)).parts();
  parts.feature_names.clear();
  for (std::size_t f = 0; f < parts.features; ++f)
    parts.feature_names.push_back(std::to_string(3 * f + 2));
  const Dataset data(parts);
  EXPECT_THAT(write(data, folder.file("a.txt")),
              ::testing::Each(::testing::Not(HasSubstr("names"))));
  const Dataset back = read(folder.file("a.txt"));
  EXPECT_EQ(back.features(), 3 * (data.features() - 1) + 2);
  const float first = testing::row_of(data, 0)[1], again = testing::row_of(back, 0)[4];
  EXPECT_TRUE(first == again || (std::isnan(first) && std::isnan(again)));
}

TEST(DataIo, NotesWhatAFormatCannotStore) {
  const TemporaryFolder folder;
  DatasetParts parts = random_dataset(1).parts();
  parts.query_weights = std::vector<float>(parts.qids.size(), 2.0F);
  parts.document_weights = std::vector<float>(parts.labels.size(), 3.0F);
  for (std::string& name : parts.feature_names) name = "f" + name;
  const Dataset data(parts);
  EXPECT_THAT(write(data, folder.file("a.csv")), Contains(HasSubstr("queries' weights")));
  const auto notes = write(data, folder.file("a.txt"));
  EXPECT_THAT(notes, Contains(HasSubstr("queries' weights")));
  EXPECT_THAT(notes, Contains(HasSubstr("no feature names")));
  EXPECT_THAT(notes, Contains(HasSubstr("a.txt.weight")));
  EXPECT_THAT(write(data, folder.file("a.podium")), IsEmpty());
  EXPECT_EQ(read(folder.file("a.podium")).query_weight(0), 2);

  parts.qids = make_strings(std::vector<std::string>(parts.qids.size(), "two words"));
  EXPECT_THAT(error_of([&] { write(Dataset(parts), folder.file("b.txt")); }),
              HasSubstr("two words"));
  EXPECT_EQ(read((write(Dataset(parts), folder.file("b.csv")), folder.file("b.csv"))).qid(0),
            "two words");
}

TEST(DataIo, KeepsQueryWeightsInASideFile) {
  const TemporaryFolder folder;
  DatasetParts parts = random_dataset(2).parts();
  parts.document_weights = {};
  parts.query_weights = std::vector<float>(parts.qids.size());
  ASSERT_NE(parts.qids.size(), parts.labels.size());
  const Dataset data(parts);
  write(data, folder.file("a.txt"));
  testing::expect_same_data(data, read(folder.file("a.txt")));
}

TEST(DataIo, WarnsAboutOldSideFiles) {
  const TemporaryFolder folder;
  folder.write("a.txt.weight", "1\n");
  DatasetParts parts = random_dataset(1).parts();
  parts.document_weights = {};
  EXPECT_THAT(write(Dataset(parts), folder.file("a.txt")), Contains(HasSubstr("is from earlier")));
}

// A value that is cut off is no missing value.
TEST(DataIo, RefusesFilesThatEndInTheMiddleOfAValue) {
  const TemporaryFolder folder;
  const std::string cut = folder.write("cut.txt", "1 qid:1 1:2 2:3\n0 qid:1 1:1 2:");
  EXPECT_THAT(error_of([&] { read(cut); }),
              HasSubstr("cut.txt: the file ends after a ':', without a line end"));
  const std::string whole = folder.write("whole.txt", "1 qid:1 1:2 2:3\n0 qid:1 1:1 2:\n");
  EXPECT_TRUE(std::isnan(testing::row_of(read(whole), 1).back()));
}

TEST(SideFiles, HaveGroupsWeightsAndPositions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "1 1:1\n0 1:2\n2 1:3\n");
  folder.write("a.txt.query", "2\n1\n\n");
  folder.write("a.txt.weight", "0.5\n1.5\n2.5\n");
  folder.write("a.txt.position", "3\n2\n1\n");
  const Dataset data = read(path);
  EXPECT_EQ(data.queries(), 2U);
  EXPECT_EQ(data.qid(1), "2");
  EXPECT_EQ(data.end(0), 2U);
  EXPECT_THAT(data.document_weights(0), ElementsAre(0.5F, 1.5F));
  EXPECT_THAT(data.positions(1), ElementsAre(1));
  folder.write("a.txt.weight", "5\n6\n");
  EXPECT_EQ(read(path).query_weight(1), 6);
}

TEST(SideFiles, AreAlsoNamedGroupAndExistForCompressedData) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "1 1:1\n0 1:2\n");
  folder.write("a.txt.group", "1\n1\n");
  EXPECT_EQ(read(path).queries(), 2U);
  write(read(path), folder.file("b.txt.gz"));
  folder.write("b.txt.weight", "1\n2\n");
  EXPECT_THAT(read(folder.file("b.txt.gz")).document_weights(1), ElementsAre(2));
}

TEST(SideFiles, FollowRegroupedRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "1 qid:a 1:1\n2 qid:b 1:1\n3 qid:a 1:1\n");
  folder.write("a.txt.weight", "1\n2\n3\n");
  folder.write("a.txt.query", "3\n");
  Reading reading;
  const Dataset data = read_dataset(path, {}, reading.context);
  EXPECT_THAT(data.document_weights(0), ElementsAre(1, 3));
  EXPECT_THAT(reading.notes, Contains(HasSubstr("a.txt.query is not used")));
  EXPECT_THAT(reading.notes, Contains(HasSubstr("weights are read from")));
}

TEST(SideFiles, ErrorsAreReported) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "1 1:1\n0 1:2\n2 1:3\n");
  const auto problem = [&](const char* kind, const char* text) {
    folder.write(std::string("a.txt.") + kind, text);
    return error_of([&] { read(path); });
  };
  EXPECT_THAT(problem("query", "2\n2\n"),
              HasSubstr("a.txt.query: the groups' sizes add up to 4, but"));
  EXPECT_THAT(problem("query", "2\nx\n"), HasSubstr("a.txt.query:2: 'x' is not a group size"));
  EXPECT_THAT(problem("query", "3\n0\n"), HasSubstr("a.txt.query:2: a group of size 0"));
  EXPECT_EQ(problem("query", "3\n"), "");
  EXPECT_THAT(problem("weight", "1\n2\n"), HasSubstr("a.txt.weight: holds 2 numbers, but"));
  EXPECT_THAT(problem("weight", "1\n-2\n3\n"), HasSubstr("a.txt.weight:2: '-2' is not a weight"));
  EXPECT_THAT(problem("weight", "1\n\n3\n"), HasSubstr("a.txt.weight:2: a blank line"));
  EXPECT_EQ(problem("weight", "1\n2\n3\n"), "");
  EXPECT_THAT(problem("position", "1\n2\n"), HasSubstr("a.txt.position: holds 2 numbers"));
}

TEST(Scores, FollowTheRowsOfTheFile) {
  const TemporaryFolder folder;
  const Dataset data = read(folder.write("a.txt", "1 qid:a 1:1\n2 qid:b 1:1\n3 qid:a 1:1\n"));
  const std::string path = folder.file("scores");
  ThreadPool pool(2);
  write_scores(std::vector<double>{0.1, 3, -2e-300}, data, path, pool);
  EXPECT_EQ(testing::bytes_of_file(path), "0.1\n-2e-300\n3\n");
  EXPECT_THAT(read_scores(path, data), ElementsAre(0.1, 3, -2e-300));
}

TEST(Scores, ErrorsAreReported) {
  const TemporaryFolder folder;
  const Dataset data = read(folder.write("a.txt", "1 qid:a 1:1\n2 qid:b 1:1\n"));
  const auto problem = [&](const char* text) {
    return error_of([&] { read_scores(folder.write("s", text), data); });
  };
  EXPECT_THAT(problem("1\n"), HasSubstr("s: holds 1 score, but the data has 2 rows"));
  EXPECT_THAT(problem("1\n2\n3\n"), HasSubstr("s: holds 3 scores"));
  EXPECT_THAT(problem("1\nnan\n"), HasSubstr("s:2: 'nan' is not a finite number"));
  EXPECT_THAT(problem("1\n2 3\n"), HasSubstr("s:2: '2 3' is not a finite number"));
  EXPECT_EQ(problem("1\r\n+2\r\n\r\n"), "");
  ThreadPool pool(1);
  EXPECT_THAT(error_of([&] { write_scores(std::vector<double>{1}, data, folder.file("t"), pool); }),
              HasSubstr("1 score for 2 documents"));
}

TEST(ReadOptions, TableReadsEveryField) {
  const auto& table = read_option_table();
  const ReadOptions options = table.read(Settings(table.fields(), {{"data-format", "csv"},
                                                                   {"absent", "missing"},
                                                                   {"label-column", "l"},
                                                                   {"qid-column", "q"},
                                                                   {"docid-column", "d"},
                                                                   {"weight-column", "w"},
                                                                   {"position-column", "p"},
                                                                   {"host-column", "h"},
                                                                   {"first-feature", "0"},
                                                                   {"max-line-bytes", "5"},
                                                                   {"max-features", "6"},
                                                                   {"max-unpacked-bytes", "7"},
                                                                   {"categorical", "c"},
                                                                   {"ignore", "i"},
                                                                   {"schema", "s"},
                                                                   {"no-header", "true"},
                                                                   {"separator", "tab"},
                                                                   {"label", "a+b"},
                                                                   {"query-weight", "v"}}));
  EXPECT_EQ(table.fields().size(), 19U);
  EXPECT_EQ(options.label + options.query_weight_column, "a+bv");
  EXPECT_TRUE(options.no_header);
  EXPECT_EQ(options.separator, "tab");
  EXPECT_EQ(options.format + options.label_column + options.qid_column, "csvlq");
  EXPECT_EQ(options.absent, AbsentFeatures::missing);
  EXPECT_EQ(
      options.docid_column + options.weight_column + options.position_column + options.host_column,
      "dwph");
  EXPECT_EQ(options.categorical + options.ignore + options.schema, "cis");
  EXPECT_EQ(options.first_feature, 0);
  EXPECT_EQ(options.max_line_bytes, 5);
  EXPECT_EQ(options.max_features, 6);
  EXPECT_EQ(options.max_unpacked_bytes, 7);
  EXPECT_THROW(Settings(table.fields(), {{"first-feature", "2"}}), Error);
  EXPECT_THROW(Settings(table.fields(), {{"absent", "none"}}), Error);
}

TEST(RealData, LightGbmExampleReadsWithItsSideFile) {
  const std::string path = testing::real_data("fixtures/lightgbm-lambdarank/rank.train");
  if (path.empty()) GTEST_SKIP() << "PODIUM_DATA is not set";
  const Dataset data = read(path);
  EXPECT_EQ(data.queries(), 201U);
  EXPECT_EQ(data.features(), 300U);
  EXPECT_EQ(data.documents(), 3005U);
}

TEST(RealData, LetorSetsReadWithTheirCounts) {
  if (testing::real_data("").empty()) GTEST_SKIP() << "PODIUM_DATA is not set";
  const TemporaryFolder folder;
  const auto unpacked = [&](const std::string& name, const char* as) {
    const std::string command =
        "xz -dc '" + testing::real_data(name) + "' > '" + folder.file(as) + "'";
    return std::system(command.c_str()) == 0 ? folder.file(as) : std::string();
  };
  std::size_t documents = 0, queries = 0;
  for (const char* part : {"S1", "S2", "S3", "S4", "S5"}) {
    const std::string path = unpacked(fmt::format("MQ2008/{}.txt.xz", part), part);
    if (path.empty()) GTEST_SKIP() << "xz is not installed";
    const Dataset data = read(path);
    EXPECT_EQ(data.features(), 46U);
    EXPECT_TRUE(data.has_docids());
    documents += data.documents();
    queries += data.queries();
  }
  EXPECT_EQ(documents, 15'211U);
  EXPECT_EQ(queries, 784U);

  const Dataset with_null = read(unpacked("fixtures/ohsumed-null/testset.txt.xz", "null.txt"));
  std::size_t missing = 0;
  for (const float value : with_null.parts().dense.view()) missing += std::isnan(value);
  EXPECT_GT(missing, 0U);
  EXPECT_EQ(read(unpacked("fixtures/mslr-sample/train.txt.xz", "mslr.txt")).features(), 136U);
}

}  // namespace
}  // namespace podium::data_io_test
