// The parts that ranks read, and their concatenation: the data that one process reads.
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/io_support.h"
#include "data/shares/share_totals.h"
#include "podium/transform.h"
#include "support/temporary_folder.h"

namespace podium::read_share_test {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using testing::Reading;
using testing::TemporaryFolder;

// The result of run(rank's context) on each rank.
template <class Run>
auto on_ranks(int ranks, Run&& run) {
  std::vector<decltype(run(std::declval<Context&>()))> results(static_cast<std::size_t>(ranks));
  run_in_threads(ranks, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    results[static_cast<std::size_t>(comm.rank())] = run(context);
  });
  return results;
}

std::vector<Dataset> read_shares(const std::string& path, int ranks,
                                 const ReadOptions& options = {}) {
  return on_ranks(ranks, [&](Context& context) { return read_share(path, options, context); });
}

// The concatenated parts equal the whole, in every respect that matters for training.
void expect_whole(const std::vector<Dataset>& shares, const Dataset& whole) {
  std::size_t q = 0;
  std::uint64_t fingerprint = 0;
  for (const Dataset& share : shares) {
    EXPECT_EQ(share.is_dense(), whole.is_dense());
    EXPECT_EQ(share.feature_names(), whole.feature_names());
    fingerprint += share.fingerprint();
    for (std::size_t i = 0; i < share.queries(); ++i, ++q) {
      ASSERT_LT(q, whole.queries());
      EXPECT_EQ(share.qid(i), whole.qid(q));
      EXPECT_EQ(share.query_weight(i), whole.query_weight(q));
      const auto same = [](auto a, auto b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
      };
      EXPECT_TRUE(same(share.labels(i), whole.labels(q)));
      EXPECT_TRUE(same(share.document_weights(i), whole.document_weights(q)));
      EXPECT_TRUE(same(share.positions(i), whole.positions(q)));
      for (std::size_t d = 0; d < share.labels(i).size(); ++d) {
        const auto mine = testing::row_of(share, share.begin(i) + d);
        const auto theirs = testing::row_of(whole, whole.begin(q) + d);
        for (std::size_t f = 0; f < mine.size(); ++f)
          EXPECT_TRUE(mine[f] == theirs[f] || (std::isnan(mine[f]) && std::isnan(theirs[f])));
      }
    }
  }
  EXPECT_EQ(q, whole.queries());
  EXPECT_EQ(fingerprint, whole.fingerprint());
}

// Queries of many sizes, with comments, blank lines, and features that only one row has.
std::string some_text(int queries) {
  std::string text = "# first a comment\n";
  for (int q = 0; q < queries; ++q) {
    for (int d = 0; d <= q * 7 % 5; ++d)
      text += fmt::format("{} qid:q{} 1:{} 3:{}{}\n", d % 3, q, 0.5 * d, q,
                          q == 4 && d == 1 ? " 9:1" : "");
    if (q % 3 == 0) text += "\n# between\n";
  }
  return text;
}

TEST(ReadShare, OfTextIsWhatOneProcessReads) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", some_text(11));
  Reading reading;
  const Dataset whole = read_dataset(path, {}, reading.context);
  for (const int ranks : {1, 2, 3, 5, 8, 40}) expect_whole(read_shares(path, ranks), whole);
  ReadOptions missing;
  missing.absent = AbsentFeatures::missing;
  expect_whole(read_shares(path, 3, missing), read_dataset(path, missing, reading.context));
}

void expect_same_schema(const std::vector<Dataset>& shares, const Dataset& whole) {
  for (const Dataset& share : shares) {
    EXPECT_EQ(share.schema().hash(), whole.schema().hash());
    EXPECT_EQ(share.schema().ignored(), whole.schema().ignored());
  }
}

// Rare values, so that no rank sees all of them.
TEST(ReadShare, CodesOfCategoriesAreThoseOfOneProcess) {
  std::string csv = "label,qid,brand,url,x\n", letor;
  for (int i = 0; i < 60; ++i) {
    csv += fmt::format("{},q{},b{},u{},{}\n", i % 3, i / 4, i * 7 % 31, i, i);
    letor += fmt::format("{} qid:q{} {}2:{} 3:1\n", i % 3, i / 4,
                         i % 5 ? fmt::format("1:{} ", i * 7 % 31) : "", i);
  }
  const TemporaryFolder folder;
  Reading reading;
  ReadOptions named, numbered;
  named.categorical = "brand";
  named.ignore = "url";
  numbered.categorical = "1";
  numbered.ignore = "3";
  const std::pair<std::string, ReadOptions> files[] = {{folder.write("a.csv", csv), named},
                                                       {folder.write("a.txt", letor), numbered}};
  for (const auto& [path, options] : files) {
    const Dataset whole = read_dataset(path, options, reading.context);
    EXPECT_GE(whole.schema().values(0)->size(), 30U);
    const std::string cache = folder.file("whole.podium");
    write_dataset(whole, cache, reading.context);
    for (const int ranks : {1, 2, 5}) {
      expect_whole(read_shares(path, ranks, options), whole);
      expect_same_schema(read_shares(path, ranks, options), whole);
      expect_whole(read_shares(cache, ranks), whole);
      expect_same_schema(read_shares(cache, ranks), whole);
    }
  }
}

// Each rank's file was prepared separately, with its own codes.
TEST(ReadShare, CodesOfPreparedFilesAreUnified) {
  const TemporaryFolder folder;
  Reading reading;
  const std::string parts[] = {"1 qid:1 1:5 2:1\n0 qid:1 1:7 2:2\n",
                               "1 qid:2 1:6 2:3\n0 qid:2 1:5 2:4\n", "1 qid:3 2:5\n"};
  ReadOptions options;
  options.categorical = "1";
  for (std::size_t r = 0; r < 3; ++r) {
    const std::string text = folder.write(fmt::format("{}.txt", r), parts[r]);
    write_dataset(read_dataset(text, options, reading.context),
                  folder.file(fmt::format("{}.podium", r)), reading.context);
  }
  const Dataset whole = read_dataset(folder.write("all.txt", parts[0] + parts[1] + parts[2]),
                                     options, reading.context);
  expect_whole(read_shares(folder.file("{rank}.podium"), 3), whole);
  expect_same_schema(read_shares(folder.file("{rank}.podium"), 3), whole);
  expect_whole(read_shares(folder.file("{rank}.txt"), 3, options), whole);
  write_dataset(read_dataset(folder.file("1.txt"), {}, reading.context), folder.file("1.podium"),
                reading.context);
  EXPECT_THAT(error_of([&] { read_shares(folder.file("{rank}.podium"), 3); }),
              HasSubstr("1.podium: '1' is a number here, but a category for other ranks"));
}

RC_GTEST_PROP(ReadShare, CutsAnyTextAtQueries, ()) {
  const auto sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 9)));
  const int ranks = *rc::gen::inRange(1, 9);
  std::string text;
  for (std::size_t q = 0; q < sizes.size(); ++q)
    for (int d = 0; d < sizes[q]; ++d) {
      text += fmt::format("1 qid:{} 1:{}", q, d);
      text += *rc::gen::element<std::string>("\n", "\r\n", "\n\n", " # note\n", "\n#\n");
    }
  if (*rc::gen::arbitrary<bool>()) text.pop_back();
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text);
  Reading reading;
  expect_whole(read_shares(path, ranks), read_dataset(path, {}, reading.context));
}

TEST(ReadShare, OfCsvIsWhatOneProcessReads) {
  std::string text = "label,qid,\"a b\",weight,c\n";
  for (int q = 0; q < 9; ++q)
    for (int d = 0; d <= q % 4; ++d)
      text += fmt::format("{},\"q,{}\",{},{},\n", d % 2, q, q - d, d);
  const TemporaryFolder folder;
  const std::string path = folder.write("data.csv", text);
  Reading reading;
  const Dataset whole = read_dataset(path, {}, reading.context);
  for (const int ranks : {2, 3, 7, 30}) expect_whole(read_shares(path, ranks), whole);
}

TEST(ReadShare, OfACacheIsARangeOfItsQueries) {
  const TemporaryFolder folder;
  Reading reading;
  for (const bool wide : {false, true}) {
    std::string text = some_text(12);  // stored sparse, for a feature that one row has
    if (!wide) text.erase(text.find(" 9:1"), 4);
    const Dataset whole = read_dataset(folder.write("data.txt", text), {}, reading.context);
    EXPECT_EQ(whole.is_dense(), !wide);
    const std::string path = folder.file("data.podium");
    write_dataset(whole, path, reading.context);
    for (const int ranks : {2, 3, 5, 40}) expect_whole(read_shares(path, ranks), whole);
  }
}

TEST(ReadShare, StorageIsThatOfTheWhole) {
  // Dense at the beginning, nearly empty rows after that: each half alone would be stored
  // differently.
  std::string text;
  for (int d = 0; d < 60; ++d)
    text += fmt::format("1 qid:{} 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1\n", d / 6);
  for (int d = 0; d < 200; ++d) text += fmt::format("1 qid:{} 1:1\n", 100 + d / 6);
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text);
  Reading reading;
  const Dataset whole = read_dataset(path, {}, reading.context);
  for (const int ranks : {2, 3, 4}) expect_whole(read_shares(path, ranks), whole);
}

TEST(ReadShare, SideFilesAreDividedByRows) {
  const TemporaryFolder folder;
  std::string text, weights, sizes, positions, query_weights;
  for (int q = 0; q < 7; ++q) {
    sizes += fmt::format("{}\n", q + 1);
    query_weights += fmt::format("{}\n", 2 * q);
    for (int d = 0; d <= q; ++d) {
      text += fmt::format("{} 1:{}\n# no row\n", d % 2, q * 10 + d);
      weights += fmt::format("{}.5\n", q * 10 + d);
      positions += fmt::format("{}\n", d);
    }
  }
  Reading reading;
  const std::string path = folder.write("data.txt", text);
  folder.write("data.txt.query", sizes);
  folder.write("data.txt.position", positions);
  for (const std::string& side : {weights, query_weights}) {
    folder.write("data.txt.weight", side);
    const Dataset whole = read_dataset(path, {}, reading.context);
    EXPECT_EQ(whole.qid(6), "7");
    for (const int ranks : {2, 3, 4, 30}) expect_whole(read_shares(path, ranks), whole);
  }
}

TEST(ReadShare, OneFilePerRank) {
  const TemporaryFolder folder;
  const std::string all = some_text(9);
  const std::size_t cut = all.find("1 qid:q4 1:0.5") - std::string("0 qid:q4 1:0 3:4\n").size();
  folder.write("all.txt", all);
  folder.write("part-0.txt", all.substr(0, cut));  // without feature 9
  folder.write("part-1.txt", all.substr(cut));
  Reading reading;
  const Dataset whole = read_dataset(folder.file("all.txt"), {}, reading.context);
  expect_whole(read_shares(folder.file("part-{rank}.txt"), 2), whole);
  for (const int part : {0, 1})
    write_dataset(read_dataset(folder.file(fmt::format("part-{}.txt", part)), {}, reading.context),
                  folder.file(fmt::format("part-{}.podium", part)), reading.context);
  expect_whole(read_shares(folder.file("part-{rank}.podium"), 2), whole);
  EXPECT_THAT(error_of([&] { read_shares(folder.file("part-{rank}.txt"), 3); }),
              AllOf(HasSubstr("part-2.txt"), HasSubstr("rank 2")));
}

TEST(ReadShare, ScoresAreDividedByRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", some_text(10));
  Reading reading;
  const Dataset whole = read_dataset(path, {}, reading.context);
  std::string text;
  for (std::size_t d = 0; d < whole.documents(); ++d) text += fmt::format("{}\n", d * 0.25);
  const std::string scores = folder.write("scores.txt", text);
  const auto expected = read_scores(scores, whole);
  for (const int ranks : {1, 2, 5}) {
    const auto parts = on_ranks(ranks, [&](Context& context) {
      return read_scores_share(scores, read_share(path, {}, context), context);
    });
    std::vector<double> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    EXPECT_EQ(all, expected);
  }
  folder.write("short.txt", "1\n2\n");
  EXPECT_THAT(
      error_of([&] {
        on_ranks(2, [&](Context& context) {
          return read_scores_share(folder.file("short.txt"), read_share(path, {}, context),
                                   context);
        });
      }),
      HasSubstr(fmt::format("holds 2 scores, but the data has {} rows", whole.documents())));
}

TEST(ReadShare, AQidThatReturnsIsRefused) {
  std::string text;
  for (int q = 0; q < 30; ++q) text += fmt::format("1 qid:{} 1:1\n0 qid:{} 1:2\n", q, q);
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text + "1 qid:3 1:7\n");
  EXPECT_THAT(error_of([&] { read_shares(path, 3); }),
              AllOf(HasSubstr(path), HasSubstr("qid 3 appears in the part of rank 2"),
                    HasSubstr("after rank 0")));
}

TEST(ReadShare, ErrorsNameTheLineOfTheFile) {
  std::string text = some_text(10);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text + "1 qid:z 1:x\n" + some_text(1));
  for (const int ranks : {1, 2, 3, 6})
    EXPECT_THAT(error_of([&] { read_shares(path, ranks); }),
                AllOf(HasSubstr(fmt::format("{}:{}: ", path, lines + 1)),
                      HasSubstr("the value of feature 1 is 'x'")));
  const std::string mixed = folder.write("mixed.txt", text + "1:0.5 qid:z 1:1\n");
  EXPECT_THAT(
      error_of([&] { read_shares(mixed, 3); }),
      HasSubstr(fmt::format("{}:{}: this row has a weight, unlike line 2", mixed, lines + 1)));
}

TEST(ReadShare, RefusesFilesThatCannotBeDivided) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { read_shares("-", 2); }), HasSubstr("standard input"));
  EXPECT_THAT(error_of([&] { read_shares(folder.file("a.txt.gz"), 2); }), HasSubstr("{rank}"));
  EXPECT_THAT(error_of([&] { read_shares(folder.file("none.txt"), 2); }),
              AllOf(HasSubstr("none.txt"), ::testing::Not(HasSubstr("rank 0"))));
  EXPECT_THAT(error_of([&] { read_shares(folder.write("empty.txt", ""), 2); }),
              HasSubstr("the file is empty"));
  EXPECT_THAT(error_of([&] { read_shares(folder.write("rows.txt", "# nothing\n"), 2); }),
              HasSubstr("the file holds no rows"));
}

TEST(ShareTotals, AreThoseOfTheWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", some_text(13));
  Reading reading;
  const Dataset whole = read_dataset(path, {}, reading.context);
  for (const auto& totals : on_ranks(4, [&](Context& context) {
         return totals_of(read_share(path, {}, context), context);
       })) {
    EXPECT_EQ(totals.documents, whole.documents());
    EXPECT_EQ(totals.queries, whole.queries());
    EXPECT_EQ(totals.fingerprint, whole.fingerprint());
  }
}

RC_GTEST_PROP(QuantileThresholds, AreThoseOfAllRanksTogether, ()) {
  const int ranks = *rc::gen::inRange(2, 5);
  const int count = *rc::gen::inRange(1, 7);
  const auto value =
      rc::gen::oneOf(rc::gen::element(0.0, -0.0, 1.0, -1.5, 3e38, 1e-45),
                     rc::gen::map(rc::gen::inRange(-30, 30), [](int i) { return i / 4.0; }));
  const auto rows = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::pair<double, double>>>(rc::gen::pair(value, value)));
  const bool sparse = *rc::gen::arbitrary<bool>();
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += fmt::format("1 qid:{} 1:{} 2:{}\n", i / 3, rows[i].first,
                        i % 5 ? fmt::format("{}", rows[i].second) : "nan");
  if (sparse) text += "0 qid:last 40:1\n";
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text);
  Reading reading;
  const auto expected =
      quantile_thresholds(read_dataset(path, {}, reading.context), count, reading.context);
  for (const auto& found : on_ranks(ranks, [&](Context& context) {
         return quantile_thresholds(read_share(path, {}, context), count, context);
       }))
    RC_ASSERT(found == expected);
  const auto even =
      even_thresholds(read_dataset(path, {}, reading.context), count, {}, reading.context);
  for (const auto& found : on_ranks(ranks, [&](Context& context) {
         return even_thresholds(read_share(path, {}, context), count, {}, context);
       }))
    RC_ASSERT(found == even);
}

TEST(Apply, UsesTheSameStorageOnAllRanks) {
  // Indicators: sparse alone if values are small, dense if they are large.
  std::string text;
  for (int i = 0; i < 80; ++i) text += fmt::format("1 qid:{} 1:{} 2:{}\n", i / 4, i, i / 2);
  const TemporaryFolder folder;
  const std::string path = folder.write("data.txt", text);
  Reading reading;
  TransformOptions options;
  options.bins = 8;
  const Dataset whole = read_dataset(path, {}, reading.context);
  const Dataset binned =
      apply(fit_transform(options, whole, reading.context), whole, reading.context);
  for (const int ranks : {2, 4})
    expect_whole(on_ranks(ranks,
                          [&](Context& context) {
                            const Dataset share = read_share(path, {}, context);
                            return apply(fit_transform(options, share, context), share, context);
                          }),
                 binned);
}

}  // namespace
}  // namespace podium::read_share_test
