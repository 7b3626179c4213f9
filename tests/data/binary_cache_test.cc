#include "data/formats/binary_cache.h"

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/mapped_file.h"
#include "data/formats/binary_cache_layout.h"
#include "data/io_support.h"
#include "support/temporary_folder.h"

namespace podium::binary_cache_test {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

// More than three blocks of dense values, or sparse rows over several blocks.
Dataset large_dataset(std::size_t documents, std::size_t features, bool sparse) {
  DatasetParts parts;
  std::vector<std::uint64_t> begin, row_begin = {0};
  std::vector<std::string> qids;
  std::vector<std::uint32_t> columns;
  std::vector<float> labels, values;
  for (std::size_t d = 0; d < documents; ++d) {
    if (d % 10 == 0) {
      begin.push_back(d);
      qids.push_back("query" + std::to_string(d));
    }
    labels.push_back(static_cast<float>(d % 5));
    for (std::size_t f = 0; f < features; ++f) {
      if (sparse && (d + f) % 7 != 0) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(static_cast<float>(d * features + f));
    }
    row_begin.push_back(columns.size());
  }
  begin.push_back(documents);
  parts.query_begin = begin;
  parts.qids = make_strings(qids);
  parts.labels = labels;
  parts.features = features;
  if (sparse) {
    parts.row_begin = row_begin;
    parts.columns = columns;
    parts.values = values;
  } else {
    parts.dense = values;
  }
  return Dataset(std::move(parts));
}

// The file's bytes, with a header that can be changed and sealed again.
struct CacheBytes {
  explicit CacheBytes(const Dataset& data) {
    const TemporaryFolder folder;
    write_binary_cache(data, folder.file("a.podium"));
    bytes = testing::bytes_of_file(folder.file("a.podium"));
    std::memcpy(&header, bytes.data(), sizeof(header));
  }
  cache::Section section(cache::Kind kind) const {
    for (std::uint32_t i = 0; i < header.section_count; ++i) {
      cache::Section section;
      std::memcpy(&section, bytes.data() + sizeof(header) + i * sizeof(section), sizeof(section));
      if (section.kind == kind) return section;
    }
    return {};
  }
  template <class T>
  void poke(cache::Kind kind, std::size_t index, T value) {
    std::memcpy(bytes.data() + section(kind).offset + index * sizeof(T), &value, sizeof(T));
  }
  void seal() {
    char* sums = bytes.data() + sizeof(header) + header.section_count * sizeof(cache::Section);
    for (std::size_t block = 0; block < header.block_count; ++block) {
      const std::size_t begin = header.header_bytes + block * cache::kBlockBytes;
      const std::size_t size = std::min<std::size_t>(cache::kBlockBytes, bytes.size() - begin);
      const std::uint64_t sum = XXH3_64bits(bytes.data() + begin, size);
      std::memcpy(sums + 8 * block, &sum, 8);
    }
    header.checksum = 0;
    std::memcpy(bytes.data(), &header, sizeof(header));
    header.checksum = XXH3_64bits(bytes.data(), header.header_bytes);
    std::memcpy(bytes.data(), &header, sizeof(header));
  }
  Dataset open() const { return read_binary_cache(bytes, "a.podium"); }

  std::string bytes;
  cache::Header header;
};

TEST(BinaryCache, GivesTheSameArraysBack) {
  for (const bool sparse : {false, true}) {
    const Dataset data = large_dataset(20'000, 50, sparse);
    const TemporaryFolder folder;
    write_binary_cache(data, folder.file("a.podium"));
    const Dataset back = read_binary_cache(folder.file("a.podium"));
    EXPECT_EQ(back.is_dense(), !sparse);
    EXPECT_EQ(back.fingerprint(), data.fingerprint());
    EXPECT_EQ(back.feature_names(), data.feature_names());
    EXPECT_EQ(back.qid(77), data.qid(77));
    EXPECT_EQ(back.bytes(), data.bytes());
  }
}

TEST(BinaryCache, IsRefusedAtOpeningWhenTheHeaderIsWrong) {
  const CacheBytes good(large_dataset(100, 5, false));
  const auto problem = [&](auto change) {
    CacheBytes bad = good;
    change(bad);
    return error_of([&] { bad.open(); });
  };
  EXPECT_EQ(problem([](CacheBytes&) {}), "");
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes = "short"; }), HasSubstr("too short"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes[1] = 'Q'; }), HasSubstr("not a .podium file"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes[8] = 9; }), HasSubstr("version 9"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes[12] = 1; }), HasSubstr("byte order"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes.pop_back(); }), HasSubstr("truncated"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.bytes[100] ^= 1; }), HasSubstr("header is damaged"));
  EXPECT_THAT(problem([](CacheBytes& c) {
                ++c.header.documents;
                c.seal();
              }),
              HasSubstr("is inconsistent"));
  EXPECT_THAT(problem([](CacheBytes& c) {
                c.header.section_count = 99;
                c.seal();
              }),
              HasSubstr("header is damaged"));
}

TEST(BinaryCache, DamageIsFoundOnFirstTouchAndNotBefore) {
  CacheBytes damaged(large_dataset(20'000, 50, false));
  damaged.bytes.back() ^= 1;  // the last value of the last row
  const Dataset data = damaged.open();
  EXPECT_EQ(data.labels(3)[1], 1);
  EXPECT_EQ(data.rows(0).dense(0)[1], 1);
  EXPECT_THAT(error_of([&] { data.rows(data.queries() - 1); }), HasSubstr("are damaged"));
  EXPECT_THAT(error_of([&] { data.rows(data.queries() - 1); }), HasSubstr("are damaged"));
}

TEST(BinaryCache, NumbersThatLieAreFoundEvenWithGoodChecksums) {
  using cache::Kind;
  const CacheBytes good(large_dataset(20'000, 50, true));
  const auto problem = [&](auto change) {
    CacheBytes bad = good;
    change(bad);
    bad.seal();
    return error_of([&] { bad.open().fingerprint(); });
  };
  EXPECT_EQ(problem([](CacheBytes&) {}), "");
  const auto offsets = HasSubstr("offsets are out of order");
  const std::uint64_t huge = std::uint64_t{1} << 60;
  EXPECT_THAT(problem([&](CacheBytes& c) { c.poke(Kind::query_begin, 5, huge); }), offsets);
  EXPECT_THAT(problem([&](CacheBytes& c) { c.poke(Kind::query_begin, 0, std::uint64_t{1}); }),
              offsets);
  EXPECT_THAT(problem([&](CacheBytes& c) { c.poke(Kind::row_begin, 19'999, huge); }), offsets);
  EXPECT_THAT(problem([&](CacheBytes& c) { c.poke(Kind::row_begin, 20'000, std::uint64_t{1}); }),
              offsets);
  EXPECT_THAT(problem([&](CacheBytes& c) { c.poke(Kind::qid_begin, 3, huge); }),
              ::testing::AnyOf("", offsets));
  const auto columns = HasSubstr("columns are out of order");
  EXPECT_THAT(problem([](CacheBytes& c) { c.poke(Kind::columns, 100'000, 50U); }), columns);
  EXPECT_THAT(problem([](CacheBytes& c) { c.poke(Kind::columns, 1, 0U); }), columns);
  EXPECT_THAT(problem([](CacheBytes& c) { c.poke(Kind::labels, 7, std::nanf("")); }),
              HasSubstr("label is not finite"));
  EXPECT_THAT(problem([](CacheBytes& c) { c.poke(Kind::values, 7, HUGE_VALF); }),
              HasSubstr("value is infinite"));
}

TEST(BinaryCache, CompressedOrStreamedIsRefused) {
  testing::Reading reading;
  EXPECT_THAT(error_of([&] { read_dataset("a.podium.gz", {}, reading.context); }),
              HasSubstr("cannot be compressed"));
  ReadOptions options;
  options.format = "podium";
  EXPECT_THAT(error_of([&] { read_dataset("-", options, reading.context); }),
              HasSubstr("cannot be written to standard output"));
}

void use_after_truncation(const std::string& path) {
  install_truncation_handler();
  const Dataset data = read_binary_cache(path);
  std::filesystem::resize_file(path, 5000);
  data.fingerprint();
  _exit(0);
}

TEST(BinaryCacheDeathTest, TruncationWhileInUseEndsInTheOneLineError) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.podium");
  write_binary_cache(large_dataset(20'000, 50, false), path);
  EXPECT_EXIT(use_after_truncation(path), ::testing::ExitedWithCode(1),
              "podium: error: .*a.podium: the file was truncated while it was in use");
}

}  // namespace
}  // namespace podium::binary_cache_test
