#include "data/formats/binary_cache.h"

#include <cmath>
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

TEST(BinaryCache, RoundTripsArrays) {
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

TEST(BinaryCache, AWrongHeaderIsRefusedWhenOpening) {
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

TEST(BinaryCache, DamageIsDetectedOnFirstUseAndNotBefore) {
  CacheBytes damaged(large_dataset(20'000, 50, false));
  damaged.bytes.back() ^= 1;  // the last value of the last row
  const Dataset data = damaged.open();
  EXPECT_EQ(data.labels(3)[1], 1);
  EXPECT_EQ(data.rows(0).dense(0)[1], 1);
  EXPECT_THAT(error_of([&] { data.rows(data.queries() - 1); }), HasSubstr("are damaged"));
  EXPECT_THAT(error_of([&] { data.rows(data.queries() - 1); }), HasSubstr("are damaged"));
}

TEST(BinaryCache, InvalidNumbersAreDetectedEvenWithGoodChecksums) {
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

// Features 1 and 3 are categories of 3 and 2 values.
Dataset with_categories(const Dataset& data) {
  DatasetParts parts = data.parts();
  const auto coded = [&](std::span<const float> values, auto column_of) {
    std::vector<float> codes(values.begin(), values.end());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::size_t column = column_of(i);
      if (column == 1) codes[i] = static_cast<float>(i % 3);
      if (column == 3) codes[i] = i % 5 == 0 ? std::nanf("") : static_cast<float>(i % 2);
    }
    return codes;
  };
  if (data.is_dense())
    parts.dense = coded(parts.dense.view(), [&](std::size_t i) { return i % data.features(); });
  else
    parts.values = coded(parts.values.view(), [&](std::size_t i) { return parts.columns[i]; });
  const std::vector<std::string> first = {"7", "acme", "zenith"}, second = {"", "x"};
  parts.schema =
      FeatureSchema({{1, make_strings(first)}, {3, make_strings(second)}}, {"url", "title"});
  return Dataset(std::move(parts));
}

TEST(BinaryCache, KeepsCategoriesAndIgnoredColumns) {
  for (const bool sparse : {false, true}) {
    const Dataset data = with_categories(large_dataset(20'000, 50, sparse));
    const TemporaryFolder folder;
    write_binary_cache(data, folder.file("a.podium"));
    const Dataset back = read_binary_cache(folder.file("a.podium"));
    EXPECT_EQ(back.schema().hash(), data.schema().hash());
    EXPECT_EQ(back.schema().ignored(), data.schema().ignored());
    EXPECT_EQ(back.fingerprint(), data.fingerprint());
    EXPECT_EQ(back.bytes(), data.bytes());
    EXPECT_EQ((*back.schema().values(3))[1], "x");
  }
}

TEST(BinaryCache, HasTheNewVersionOnlyForCategories) {
  const Dataset numbers = large_dataset(20, 5, false);
  EXPECT_EQ(CacheBytes(numbers).header.version, 1U);
  EXPECT_EQ(CacheBytes(with_categories(numbers)).header.version, 2U);
  DatasetParts parts = numbers.parts();
  parts.schema = parts.schema.with_ignored({"url"});
  EXPECT_EQ(CacheBytes(Dataset(parts)).header.version, 2U);
  CacheBytes old(with_categories(numbers));
  old.header.version = 1;
  old.seal();
  EXPECT_THAT(error_of([&] { old.open(); }), HasSubstr("header is damaged"));
}

TEST(BinaryCache, InvalidCategoriesAreDetectedEvenWithGoodChecksums) {
  using cache::Kind;
  for (const bool sparse : {false, true})
    for (const std::size_t documents : {30, 20'000}) {  // one block, and several
      const Dataset data = with_categories(large_dataset(documents, 50, sparse));
      const CacheBytes good(data);
      const auto problem = [&](auto change) {
        CacheBytes bad = good;
        change(bad);
        bad.seal();
        return error_of([&] { bad.open().fingerprint(); });
      };
      EXPECT_EQ(problem([](CacheBytes&) {}), "");
      const auto poked = [&](Kind kind, std::size_t at, auto value) {
        return problem([&](CacheBytes& c) { c.poke(kind, at, value); });
      };
      const std::uint64_t huge = std::uint64_t{1} << 60;
      EXPECT_THAT(poked(Kind::category_features, 1, 1U), HasSubstr("not in order"));
      EXPECT_THAT(poked(Kind::category_features, 1, 50U), HasSubstr("does not exist"));
      const auto offsets = HasSubstr("offsets are out of order");
      EXPECT_THAT(poked(Kind::category_first, 0, std::uint64_t{1}), offsets);
      EXPECT_THAT(poked(Kind::category_first, 1, huge), offsets);
      EXPECT_THAT(poked(Kind::category_first, 2, huge), offsets);
      EXPECT_THAT(poked(Kind::category_begin, 2, huge), offsets);
      EXPECT_THAT(poked(Kind::ignored_begin, 1, huge), offsets);
      EXPECT_THAT(poked(Kind::category_chars, 1, '~'), HasSubstr("not in order"));
      const Kind values = sparse ? Kind::values : Kind::dense;
      std::size_t at = 1;
      while (sparse && data.parts().columns[at] != 1) ++at;
      const auto no_code = HasSubstr("not the code of a category");
      EXPECT_THAT(poked(values, at, 3.0F), no_code);
      EXPECT_THAT(poked(values, at, -1.0F), no_code);
      EXPECT_THAT(poked(values, at, 0.5F), no_code);
      EXPECT_EQ(poked(values, at, std::nanf("")), "");
    }
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

TEST(BinaryCacheDeathTest, TruncationWhileInUseEndsWithAOneLineError) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.podium");
  write_binary_cache(large_dataset(20'000, 50, false), path);
  EXPECT_EXIT(use_after_truncation(path), ::testing::ExitedWithCode(1),
              "podium: error: .*a.podium: the file was truncated while it was in use");
}

}  // namespace
}  // namespace podium::binary_cache_test
