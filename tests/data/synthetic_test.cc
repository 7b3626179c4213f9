#include "podium/synthetic.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "data/preparation_support.h"
#include "podium/data_io.h"
#include "podium/describe.h"
#include "podium/error.h"

namespace podium::synthetic_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using ::testing::Pair;

SyntheticOptions of(const std::string& preset, std::int64_t queries) {
  const auto& table = synthetic_option_table();
  SyntheticOptions options = table.read(Settings(table.fields(), {{"preset", preset}}));
  options.queries = queries;
  return options;
}

std::string written(const Dataset& data, const std::string& ending, Context& context) {
  const std::string path = ::testing::TempDir() + "/podium_synthetic." + ending;
  write_dataset(data, path, context);
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".position");
  return bytes;
}

// A seed must give the same bytes on every machine and in every later version.
TEST(Synthetic, TheShopHasTextColumnsMissingValuesAndResponses) {
  Bench bench, four(4);
  const Dataset data = make_synthetic(of("shop", 200), bench.context);
  EXPECT_EQ(data.fingerprint(), make_synthetic(of("shop", 200), four.context).fingerprint());
  EXPECT_EQ(data.documents(), 200U * 20);
  EXPECT_EQ(data.schema().values(1)->size(), 120U);
  std::array<double, 4> grades = {};
  std::array<double, 11> missing = {}, sum = {};
  const auto values = all_values(data);
  for (std::size_t d = 0; d < data.documents(); ++d) {
    ++grades.at(static_cast<std::size_t>(data.labels()[d]));
    for (std::size_t f = 0; f < 11; ++f) {
      const float x = values[11 * d + f];
      missing[f] += std::isnan(x);
      sum[f] += std::isnan(x) ? 0 : x;
    }
    EXPECT_LE(values[11 * d + 10], values[11 * d + 9]);  // what is bought was clicked
  }
  EXPECT_NEAR(grades[0] / 4000, 0.55, 0.05);
  EXPECT_NEAR(grades[3] / 4000, 0.06, 0.03);
  EXPECT_NEAR(missing[2] / 4000, 0.1, 0.03);
  EXPECT_NEAR(missing[4] / 4000, 0.3, 0.03);
  EXPECT_NEAR(missing[6] / 4000, 0.2, 0.03);
  EXPECT_EQ(missing[0] + missing[1] + missing[3] + missing[5], 0);
  EXPECT_GT(sum[9], sum[10]);
  EXPECT_GT(sum[10], 20);
  SyntheticOptions wide = of("shop", 2);
  wide.features = 30;
  EXPECT_THROW(make_synthetic(wide, bench.context), Error);
}

TEST(Synthetic, BytesArePinned) {
  Bench bench;
  const std::array<std::pair<const char*, std::uint64_t>, 5> pinned = {{
      {"plain", 0x6FE5786ED8C76120},
      {"mslr", 0xB83030D0D7B6F48F},
      {"letor", 0x47812E8CEBDCA68E},
      {"clicks", 0x4D7FFB4C0EDA6CFC},
      {"shop", 0xCA15D52711C8110B},
  }};
  for (const auto& [preset, hash] : pinned) {
    const std::string bytes =
        written(make_synthetic(of(preset, 5), bench.context), "csv", bench.context);
    EXPECT_EQ(XXH3_64bits(bytes.data(), bytes.size()), hash) << preset;
  }
  SyntheticOptions hosted = of("plain", 5);
  hosted.hosts = 7;
  const std::string bytes = written(make_synthetic(hosted, bench.context), "csv", bench.context);
  EXPECT_EQ(XXH3_64bits(bytes.data(), bytes.size()), 0xBF2CCA402DC08E38) << "hosts";
}

TEST(Synthetic, IsTheSameForAnyThreadsAndFromPieces) {
  Bench one(1), four(4);
  for (const char* preset : {"plain", "mslr", "letor", "clicks"}) {
    const Dataset whole = make_synthetic(of(preset, 40), one.context);
    EXPECT_EQ(all_values(whole), all_values(make_synthetic(of(preset, 40), four.context)));
    const Dataset first = make_synthetic(of(preset, 15), one.context);
    const Dataset rest = make_synthetic(of(preset, 40), 15, 40, four.context);
    auto joined = all_values(first);
    const auto tail = all_values(rest);
    joined.insert(joined.end(), tail.begin(), tail.end());
    EXPECT_EQ(all_values(whole), joined);
    EXPECT_EQ(rest.qid(0), "16");
    EXPECT_EQ(rest.docid(1), "d16-2");
  }
}

TEST(Synthetic, GradesComeInThePresetsShares) {
  Bench bench;
  const auto shares = [&](const SyntheticOptions& options) {
    const DataDescription d = describe(make_synthetic(options, bench.context), bench.context);
    std::vector<double> out;
    for (const auto& [grade, count] : d.grades)
      out.push_back(100.0 * static_cast<double>(count) / static_cast<double>(d.documents));
    return out;
  };
  const auto near = [](double x, double margin) { return ::testing::DoubleNear(x, margin); };
  EXPECT_THAT(shares(of("mslr", 300)),
              ElementsAre(near(52, 3), near(32, 3), near(13, 2), near(2, 0.6), near(1, 0.4)));
  EXPECT_THAT(shares(of("letor", 800)), ElementsAre(near(80, 3), near(13, 2), near(7, 2)));
  EXPECT_THAT(shares(of("plain", 500)),
              ElementsAre(near(51.6, 3), near(25.8, 2), near(12.9, 2), near(6.5, 1), near(3.2, 1)));
}

TEST(Synthetic, ListLengthsFollowThePreset) {
  Bench bench;
  const DataDescription mslr =
      describe(make_synthetic(of("mslr", 400), bench.context), bench.context);
  EXPECT_EQ(mslr.features, 136U);
  EXPECT_NEAR(mslr.mean_length, 120, 10);
  EXPECT_LT(mslr.shortest, 40U);
  EXPECT_GT(mslr.longest, 250U);
  const DataDescription letor =
      describe(make_synthetic(of("letor", 400), bench.context), bench.context);
  EXPECT_EQ(letor.features, 46U);
  EXPECT_GE(letor.shortest, 20U);
  EXPECT_LE(letor.longest, 40U);
  const DataDescription plain =
      describe(make_synthetic(of("plain", 3), bench.context), bench.context);
  EXPECT_EQ(plain.documents, 150U);
  EXPECT_EQ(plain.features, 30U);
}

TEST(Synthetic, LetorIsScaledWithinQueries) {
  Bench bench;
  for (const float x : all_values(make_synthetic(of("letor", 20), bench.context)))
    ASSERT_TRUE(x >= 0 && x <= 1);
}

TEST(Synthetic, FeaturesMatchTheirDescription) {
  Bench bench;
  const SyntheticOptions options = of("plain", 50);
  const Dataset data = make_synthetic(options, bench.context);
  const auto features = synthetic_features(options);
  const DataDescription d = describe(data, bench.context);
  ASSERT_EQ(features.size(), data.features());
  EXPECT_THAT(d.constant_features, ElementsAre(14));
  EXPECT_THAT(d.duplicate_features, ElementsAre(Pair(15, 2)));
  for (std::size_t f = 0; f < features.size(); ++f) {
    SCOPED_TRACE(f);
    if (features[f].kind == FeatureKind::sparse) {
      EXPECT_GT(d.feature[f].zeros, d.documents * 6 / 10);
    }
    if (features[f].kind == FeatureKind::heavy_tail) {
      EXPECT_GT(d.feature[f].max, 10 * d.feature[f].mean);
    }
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const Rows rows = data.rows(q);
      std::set<float> seen;
      for (std::size_t i = 0; i < rows.documents(); ++i) seen.insert(rows.dense(i)[f]);
      if (features[f].kind == FeatureKind::query_level) {
        EXPECT_EQ(seen.size(), 1U);
      }
      if (features[f].kind != FeatureKind::count) continue;
      for (const float x : seen) EXPECT_EQ(x, std::floor(x));
    }
  }
}

TEST(Synthetic, GradesDoNotChangeWithTheNumberOfFeatures) {
  Bench bench;
  SyntheticOptions few = of("plain", 10), many = few;
  few.features = 3;
  many.features = 70;
  const Dataset a = make_synthetic(few, bench.context), b = make_synthetic(many, bench.context);
  EXPECT_TRUE(std::equal(a.labels().begin(), a.labels().end(), b.labels().begin()));
}

TEST(Synthetic, ClicksArePositionBiasedViewsOfThePlainGrades) {
  Bench bench;
  SyntheticOptions clicks = of("clicks", 4000), plain = of("plain", 4000);
  clicks.features = plain.features = 2;
  plain.docs = 10;
  const Dataset shown = make_synthetic(clicks, bench.context);
  const Dataset truth = make_synthetic(plain, bench.context);
  EXPECT_EQ(all_values(shown), all_values(truth));
  // Clicks per document of grade g at position p are near attraction(g) / p.
  std::array<std::array<double, 11>, 5> clicked = {}, count = {};
  for (std::size_t q = 0; q < shown.queries(); ++q)
    for (std::size_t i = 0; i < 10; ++i) {
      const auto grade = static_cast<std::size_t>(truth.labels(q)[i]);
      const auto position = static_cast<std::size_t>(shown.positions(q)[i]);
      clicked[grade][position] += shown.labels(q)[i];
      count[grade][position] += 1;
    }
  for (std::size_t g = 0; g < 5; ++g)
    for (std::size_t p = 1; p <= 10; ++p) {
      if (count[g][p] < 100) continue;
      const double wanted =
          (0.1 + 0.9 * static_cast<double>((1 << g) - 1) / 15) / static_cast<double>(p);
      const double deviation = std::sqrt(wanted * (1 - wanted) / count[g][p]);
      EXPECT_NEAR(clicked[g][p] / count[g][p], wanted, 5 * deviation) << g << " at " << p;
    }
}

TEST(Synthetic, HostsAreAddedAndChangeNothingElse) {
  Bench one(1), four(4);
  SyntheticOptions plain = of("mslr", 30), hosted = plain;
  plain.features = hosted.features = 3;
  hosted.hosts = 12;
  const Dataset without = make_synthetic(plain, one.context);
  const Dataset with = make_synthetic(hosted, four.context);
  EXPECT_FALSE(without.has_hosts());
  EXPECT_EQ(all_values(with), all_values(without));
  EXPECT_TRUE(std::equal(with.labels().begin(), with.labels().end(), without.labels().begin()));
  const Dataset rest = make_synthetic(hosted, 20, 30, one.context);
  const std::size_t before = with.documents() - rest.documents();
  for (std::size_t d = 0; d < rest.documents(); ++d) ASSERT_EQ(rest.host(d), with.host(before + d));
  std::size_t document = 0;
  for (std::size_t q = 0; q < with.queries(); ++q) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < with.labels(q).size(); ++i) seen.insert(with.host(document++));
    EXPECT_EQ(seen.size(), std::min<std::size_t>(12, with.labels(q).size()));
  }
  EXPECT_EQ(with.host(0), "h1-1");
}

// Of two documents of one query, those on one host differ less in grade.
TEST(Synthetic, DocumentsOfOneHostAreOfSimilarQuality) {
  Bench bench;
  SyntheticOptions options = of("plain", 200);
  options.hosts = 10;
  const Dataset data = make_synthetic(options, bench.context);
  std::array<double, 2> difference = {}, count = {};
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t i = 0; i < 50; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const bool same = data.host(50 * q + i) == data.host(50 * q + j);
        difference[same] += std::abs(data.labels(q)[i] - data.labels(q)[j]);
        count[same] += 1;
      }
  EXPECT_LT(difference[1] / count[1], 0.75 * difference[0] / count[0]);
}

TEST(Synthetic, RejectsImpossibleOptions) {
  Bench bench;
  EXPECT_THROW(of("msrl", 1), Error);
  SyntheticOptions options = of("plain", 1);
  options.grades = 1;
  EXPECT_THROW(make_synthetic(options, bench.context), Error);
  options.grades = 2;
  EXPECT_EQ(make_synthetic(options, bench.context).documents(), 50U);
  EXPECT_THROW(make_synthetic(options, 0, 2, bench.context), Error);
}

}  // namespace
}  // namespace podium::synthetic_test
