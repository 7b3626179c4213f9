// The table of data formats: every row's suffixes and sniffing, writing and reading back, and files
// of no format.
#include "data/formats/data_format.h"

#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "support/temporary_folder.h"

namespace podium::data_format_test {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::Reading;
using testing::TemporaryFolder;

Dataset read(const std::string& path, const ReadOptions& options = {}) {
  Reading reading;
  return read_dataset(path, options, reading.context);
}

Dataset small_data() {
  return testing::FromMemory().letor(
      "2 qid:a 1:0.5 2:0 3:7 # docid = x\n0 qid:a 1:nan 2:-1 3:8 # docid = y\n"
      "1 qid:b 1:3 2:2.25 3:9 # docid = z\n");
}

// Files of a format begin like these.
const std::multimap<std::string, std::string>& beginnings() {
  static const std::multimap<std::string, std::string> texts = {
      {"letor", "2 qid:10 1:0.5 2:1 # docid = GX1\n0 qid:10 1:0.1\n"},
      {"letor", "# a comment, qid, label\r\n\r\n  +1:0.5\tqid:x 3:1\r\n"},
      {"letor", "-.5 1:2"},
      {"letor", "0\n"},
      {"letor", "\n# no rows\n"},
      {"letor", "relevant qid:10 1:0.5\n"},  // a mistake that the reader explains
      {"csv", "label,qid,bm25\n1,a,2\n"},
      {"csv", "\"query\" , \"a,b\",grade\r\n"},
      {"csv", "label;qid;bm25\n1;a;2,5\n"},
      {"csv", "label|qid|bm25\n1|a|2\n"},
      {"tsv", "relevance\tqid\tbm25\r\n1\ta\t2\n"},
      {"podium", std::string("\x89PODIUM\n\x01\0\0\0", 12)},
  };
  return texts;
}

TEST(DataFormats, RowsAreComplete) {
  std::set<std::string_view> names = {"auto"}, suffixes = {".gz", ".zst"};
  for (const DataFormat* format : data_formats()) {
    EXPECT_TRUE(names.insert(format->name).second) << format->name;
    EXPECT_FALSE(format->title.empty());
    ASSERT_FALSE(format->suffixes.empty()) << format->name;
    for (const std::string_view suffix : format->suffixes) {
      EXPECT_EQ(suffix.front(), '.');
      EXPECT_TRUE(suffixes.insert(suffix).second) << suffix;
    }
    EXPECT_TRUE(format->sniff && format->read && format->read_part && format->write);
  }
}

TEST(DataFormats, AreFoundBySuffix) {
  for (const DataFormat* format : data_formats())
    for (const std::string_view suffix : format->suffixes)
      for (const char* packing : {"", ".gz", ".zst"}) {
        const std::string path = "folder.csv/name" + std::string(suffix) + packing;
        EXPECT_EQ(format_with_suffix(path), format) << path;
        EXPECT_EQ(&format_to_write(path), format) << path;
        EXPECT_EQ(&format_to_read(path, "auto"), format) << path;
        for (const DataFormat* other : data_formats())
          EXPECT_EQ(&format_to_read(path, std::string(other->name)), other) << path;
      }
}

TEST(DataFormats, AreDistinguishedByTheirFirstBytes) {
  for (const DataFormat* format : data_formats()) {
    EXPECT_GT(beginnings().count(std::string(format->name)), 0U) << format->name;
    for (const auto& [name, text] : beginnings())
      EXPECT_EQ(format->sniff(text), name == format->name) << format->name << ": " << text;
    for (const char* text :
         {"PAR1\x15\x04\x15", "{\"format\":\"podium-model\"}\n", "hello, world\n", "1,2,3\n4,5,6\n",
          "\x1f\x8b\x08", "<html>\n", "label qid bm25\n"})
      EXPECT_FALSE(format->sniff(text)) << format->name << ": " << text;
  }
}

TEST(DataFormats, WhatIsWrittenReadsBack) {
  const Dataset data = small_data();
  for (const DataFormat* format : data_formats())
    for (const std::string_view suffix : format->suffixes) {
      const TemporaryFolder folder;
      const std::string path = folder.file("data" + std::string(suffix));
      Reading reading;
      format->write(data, path, reading.context);
      testing::expect_same_data(data, read(path));

      const std::string other = folder.file("data.unknown");
      std::filesystem::rename(path, other);
      testing::expect_same_data(data, read(other));
      ReadOptions named;
      named.format = std::string(format->name);
      testing::expect_same_data(data, read(other, named));
    }
}

TEST(DataFormats, CompressedFilesAreSniffedToo) {
  const TemporaryFolder folder;
  Reading reading;
  write_dataset(small_data(), folder.file("data.tsv.gz"), reading.context);
  std::filesystem::rename(folder.file("data.tsv.gz"), folder.file("data.rows.gz"));
  testing::expect_same_data(small_data(), read(folder.file("data.rows.gz")));
}

TEST(DataFormats, OtherFilesAreRefusedWithTheList) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.other", "OTHR\x15\x04");
  const std::string error = error_of([&] { read(path); });
  EXPECT_THAT(error, HasSubstr("data.other"));
  EXPECT_THAT(error, HasSubstr("known format"));
  for (const DataFormat* format : data_formats())
    for (const std::string_view suffix : format->suffixes)
      EXPECT_THAT(error, HasSubstr(std::string(suffix)));
}

TEST(DataFormats, MistakesOfLetorTextKeepTheirLine) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read(folder.write("a.train", "high qid:1 1:2\n")); }),
              HasSubstr("a.train:1: "));
  EXPECT_THAT(error_of([&] { read(folder.write("b.train", "")); }), HasSubstr("b.train"));
  EXPECT_THAT(error_of([&] { read(folder.file("nowhere.train")); }), HasSubstr("nowhere.train"));
}

TEST(DataFormats, UnknownSuffixesAreWrittenAsLetorText) {
  const TemporaryFolder folder;
  Reading reading;
  write_dataset(small_data(), folder.file("a.dat"), reading.context);
  write_dataset(small_data(), folder.file("a.txt"), reading.context);
  EXPECT_EQ(testing::bytes_of_file(folder.file("a.dat")),
            testing::bytes_of_file(folder.file("a.txt")));
}

TEST(DataFormats, RanksMustDetectTheSameFormat) {
  const TemporaryFolder folder;
  folder.write("part0", "1 qid:a 1:1\n");
  folder.write("part1", "label,qid,1\n1,b,1\n");
  std::vector<std::string> errors(2);
  run_in_threads(2, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    errors[static_cast<std::size_t>(comm.rank())] =
        error_of([&] { read_share(folder.file("part{rank}"), {}, context); });
  });
  for (const std::string& error : errors)
    EXPECT_THAT(error, HasSubstr("rank 1 reads its file as csv, but rank 0 reads it as letor"));
}

}  // namespace
}  // namespace podium::data_format_test
