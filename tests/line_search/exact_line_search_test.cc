#include "line_search/exact_line_search.h"

#include <cmath>

#include <gtest/gtest.h>

#include "podium/communicator.h"
#include "support/measure_cases.h"
#include "support/toy_data.h"

namespace podium::exact_line_search_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSame = 1e-10;  // values closer than this are equal

struct Problem {
  std::vector<std::size_t> lengths;
  std::vector<float> labels;
  std::vector<double> base, direction;
  double low = -kInfinity, high = kInfinity, current = 0;

  Dataset data() const { return testing::make_dataset(lengths, 0, {}, labels); }
  SearchLine line() const { return {base, direction, low, high, current}; }
  std::vector<double> scores(double alpha) const {
    std::vector<double> scores = base;
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += alpha * direction[i];
    return scores;
  }
};

// The ends of the range, and all crossings of two documents of a query inside it.
std::vector<double> crossings(const Problem& problem) {
  std::vector<double> found = {problem.low, problem.high};
  std::size_t begin = 0;
  for (const std::size_t length : problem.lengths) {
    for (std::size_t i = begin; i < begin + length; ++i)
      for (std::size_t j = begin; j < i; ++j) {
        if (problem.direction[i] == problem.direction[j]) continue;
        const double alpha =
            (problem.base[i] - problem.base[j]) / (problem.direction[j] - problem.direction[i]);
        if (alpha > problem.low && alpha < problem.high) found.push_back(alpha + 0.0);
      }
    begin += length;
  }
  std::sort(found.begin(), found.end());
  // A quotient from other lines through the same point may differ by rounding.
  const auto near = [](double x, double y) {
    return std::isfinite(y - x) && y - x <= 1e-12 * (std::abs(x) + std::abs(y));
  };
  found.erase(std::unique(found.begin(), found.end(), near), found.end());
  return found;
}

double between(double low, double high) {
  if (std::isinf(low) && std::isinf(high)) return 0;
  if (std::isinf(low)) return high - 1;
  if (std::isinf(high)) return low + 1;
  return low + (high - low) / 2;
}

// The measure between all neighbouring crossings, with neighbours of equal value merged.
std::vector<LinePiece> pieces_by_midpoints(const Problem& problem, const MeasurePtr& measure,
                                           const Convention& convention, Context& context) {
  const Dataset data = problem.data();
  const std::vector<double> ends = crossings(problem);
  std::vector<LinePiece> pieces;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double value =
        evaluate(measure, convention, data, problem.scores(between(ends[i], ends[i + 1])), context);
    const bool nobody_counts = std::isnan(value);
    if (!pieces.empty() && (nobody_counts || std::abs(pieces.back().value - value) < kSame))
      pieces.back().high = ends[i + 1];
    else
      pieces.push_back({ends[i], ends[i + 1], value});
  }
  return pieces;
}

::testing::AssertionResult near(double x, double y) {
  if (x == y || std::abs(x - y) <= 2e-11 * std::max(1.0, std::abs(x)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << x << " is not " << y;
}

bool holds(const LinePiece& piece, double alpha) {
  return piece.low < alpha && alpha < piece.high;
}

void expect_as_by_midpoints(const Problem& problem, const MeasurePtr& measure,
                            const Convention& convention, Context& context) {
  const auto wanted = pieces_by_midpoints(problem, measure, convention, context);
  const ExactLineSearch search(problem.data(), measure, convention, context);
  const LineSearchResult result = search.search(problem.line(), context);
  SCOPED_TRACE(measure->name() + " " + ::testing::PrintToString(problem.base) + " " +
               ::testing::PrintToString(problem.direction) + " labels " +
               ::testing::PrintToString(problem.labels) + " lengths " +
               ::testing::PrintToString(problem.lengths));
  const auto found = search.pieces(problem.line(), context);
  ASSERT_EQ(found.size(), wanted.size());
  double best = -kInfinity;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_TRUE(near(found[i].low, wanted[i].low));
    ASSERT_TRUE(near(found[i].high, wanted[i].high));
    ASSERT_EQ(std::isnan(found[i].value), std::isnan(wanted[i].value));
    if (std::isnan(wanted[i].value)) return;
    ASSERT_TRUE(near(found[i].value, wanted[i].value));
    best = std::max(best, wanted[i].value);
  }
  ASSERT_TRUE(near(result.best.value, best));
  const LinePiece* chosen = nullptr;
  double widest = 0;
  for (const LinePiece& piece : wanted) {
    if (piece.value < best - kSame) continue;
    if (!chosen || holds(piece, problem.current) ||
        (!holds(*chosen, problem.current) && piece.high - piece.low > widest * (1 + 1e-9))) {
      chosen = &piece;
      widest = piece.high - piece.low;
    }
  }
  if (near(result.best.low, chosen->low)) {
    ASSERT_TRUE(near(result.best.high, chosen->high));
  } else {  // widths that are equal up to rounding
    ASSERT_FALSE(holds(*chosen, problem.current));
    ASSERT_NEAR(result.best.high - result.best.low, widest, 1e-8 * widest);
  }
  ASSERT_EQ(result.holds_current, holds(result.best, problem.current));
  ASSERT_GT(result.middle, result.best.low);
  ASSERT_LT(result.middle, result.best.high);
}

enum class Numbers { small_whole, real };

Problem random_problem(Random& random, std::size_t max_documents, Numbers numbers) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kGrades[] = {0, 0, 0, 1, 1, 2, 3, 0.5F, -1, kNan};
  Problem problem;
  const std::uint64_t spread = 2 + random.below(6);
  const std::size_t grades = random.below(3) == 0 ? 10 : 7;
  for (std::uint64_t q = 1 + random.below(3); q > 0; --q) {
    problem.lengths.push_back(1 + random.below(max_documents));
    for (std::size_t i = 0; i < problem.lengths.back(); ++i) {
      problem.labels.push_back(kGrades[random.below(grades)]);
      const auto draw = [&](std::uint64_t n) {
        if (numbers == Numbers::real && random.below(4)) return random.uniform() - 0.5;
        return static_cast<double>(random.below(n)) - static_cast<double>(n / 2);
      };
      problem.base.push_back(draw(spread));
      problem.direction.push_back(draw(1 + random.below(5)));
    }
  }
  if (random.below(4) == 0) {
    problem.low = static_cast<double>(random.below(5)) / 4 - 1;
    problem.high = problem.low + static_cast<double>(1 + random.below(8)) / 4;
  }
  problem.current = static_cast<double>(random.below(17)) / 4 - 2;
  return problem;
}

TEST(ExactLineSearch, IsTheBestOverAllMidpointsForEveryMeasure) {
  testing::Bench bench(1);
  const auto variants = testing::measure_variants();
  const Convention conventions[] = {Convention{}, Convention{.ties = Ties::stable},
                                    Convention{.empty = EmptyQuery::skip},
                                    Convention{.empty = EmptyQuery::one}};
  Random random(61);
  for (int i = 0; i < 52000; ++i) {
    const auto& measure = variants[static_cast<std::size_t>(i) % variants.size()];
    const Problem problem =
        random_problem(random, 8, random.below(4) == 0 ? Numbers::real : Numbers::small_whole);
    const std::uint64_t c = random.below(8);
    ASSERT_NO_FATAL_FAILURE(
        expect_as_by_midpoints(problem, measure, conventions[c < 4 ? c : 0], bench.context))
        << "problem " << i;
  }
}

// Long lists: candidates, checkpoints, radix sorts and buckets are in use.
TEST(ExactLineSearch, IsTheBestOverAllMidpointsOfLongLists) {
  testing::Bench bench(1);
  Random random(62);
  for (const char* name : {"nDCG@5", "nDCG@10", "P@3", "ERR@4", "AP@10", "nDCG", "AP", "RR", "ERR",
                           "AUC", "GMAP", "Bpref", "tau", "nDCG@200"})
    for (int i = 0; i < 12; ++i) {
      Problem problem;
      problem.lengths = {70};
      for (std::size_t d = 0; d < 70; ++d) {
        problem.labels.push_back(static_cast<float>(random.below(3)));
        problem.base.push_back(i % 3 == 0   ? 0
                               : i % 3 == 1 ? random.uniform()
                                            : static_cast<double>(random.below(6)));
        problem.direction.push_back(i % 2 ? random.uniform()
                                          : static_cast<double>(random.below(9)));
      }
      ASSERT_NO_FATAL_FAILURE(expect_as_by_midpoints(problem, parse_measure(name, Convention{}),
                                                     Convention{}, bench.context));
    }
}

// [Tan13] Table 1: documents with labels 1, 2, 0, 1, 2, whose first three are, along α, 123, 213,
// 215, 251, 521, 523 (p₁ … p₅ at 1 … 5), with the paper's discount, which is 1 for ranks 1 and 2.
TEST(ExactLineSearch, ReproducesThePapersTable) {
  testing::Bench bench(1);
  Problem problem;
  problem.lengths = {5};
  problem.labels = {1, 2, 0, 1, 2};
  problem.direction = {0, 1, 1, 1, 3};
  problem.base = {4, 3, -1, -2, -5};
  const auto walk = [&](const char* measure) {
    const ExactLineSearch search(problem.data(), parse_measure(measure, {}), {}, bench.context);
    EXPECT_EQ(search.search(problem.line(), bench.context).jumps,
              search.pieces(problem.line(), bench.context).size() - 1);
    return search.pieces(problem.line(), bench.context);
  };
  const auto expect = [](const std::vector<LinePiece>& pieces,
                         const std::vector<std::pair<double, double>>& ends_and_dcg, double ideal) {
    ASSERT_EQ(pieces.size(), ends_and_dcg.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(pieces[i].high, ends_and_dcg[i].first);
      EXPECT_NEAR(pieces[i].value, ends_and_dcg[i].second / ideal, 1e-11);
    }
  };
  const double third = 1 / std::log2(3);
  const auto letor = walk("nDCG(discount=letor)@3");
  expect(letor, {{2, 4}, {3, 4 + 3 * third}, {5, 6 + third}, {kInfinity, 6}}, 6 + third);
  EXPECT_NEAR(letor[1].value, 0.889, 5e-4);  // as the paper prints it
  expect(walk("nDCG@3"),
         {{1, 1 + 3 * third},
          {2, 3 + third},
          {3, 3 + third + 1.5},
          {5, 3 + 3 * third + 0.5},
          {kInfinity, 3 + 3 * third}},
         3 + 3 * third + 0.5);
}

LineSearchResult search(const Problem& problem, const char* measure, int threads = 1) {
  testing::Bench bench(threads);
  return ExactLineSearch(problem.data(), parse_measure(measure, {}), {}, bench.context)
      .search(problem.line(), bench.context);
}

TEST(ExactLineSearch, ChoosesTheCurrentThenTheWidestThenTheLeftmost) {
  Problem problem;
  // P@1 over four queries of two documents, the first good. Good is above: left of −1, right of 0,
  // left of 1, right of 1.
  problem.lengths = {2, 2, 2, 2};
  problem.labels = {1, 0, 1, 0, 1, 0, 1, 0};
  problem.direction = {0, 1, 1, 0, 0, 1, 1, 0};
  problem.base = {-1, 0, 0, 0, 1, 0, 0, 1};
  // Sums: left of −1: q1, q3 = 2; (−1, 0): q3 = 1; (0, 1): q2, q3 = 2; right of 1: q2, q4 = 2.
  problem.current = -5;
  LineSearchResult result = search(problem, "P@1");
  EXPECT_EQ(result.best.value, 0.5);
  EXPECT_EQ(result.best.high, -1);
  EXPECT_TRUE(result.holds_current);
  problem.current = 0.5;  // (0, 1) and (1, ∞) have the same value
  result = search(problem, "P@1");
  EXPECT_EQ(result.best.low, 0);
  EXPECT_EQ(result.best.high, kInfinity);
  problem.current = -0.5;
  result = search(problem, "P@1");
  EXPECT_EQ(result.best.low, -kInfinity);  // two are infinitely wide
  EXPECT_FALSE(result.holds_current);
  EXPECT_EQ(result.middle, -2);
  problem.low = -2;
  result = search(problem, "P@1");
  EXPECT_EQ(result.best.low, 0);
  problem.high = 1;  // now both are 1 wide
  result = search(problem, "P@1");
  EXPECT_EQ(result.best.low, -2);
  EXPECT_EQ(result.middle, -1.5);
}

Problem many(std::size_t documents, double base, double direction) {
  Problem problem;
  problem.lengths = {documents};
  for (std::size_t i = 0; i < documents; ++i) problem.labels.push_back(i % 3 == 0);
  problem.base.assign(documents, base);
  problem.direction.assign(documents, direction);
  return problem;
}

TEST(ExactLineSearch, TensOfThousandsOfIdenticalDocuments) {
  for (const char* measure : {"nDCG@10", "nDCG", "AP", "RR", "AUC", "P@5", "R@100", "AP@10"}) {
    const Problem problem = many(30000, 0.5, 2);
    testing::Bench bench(1);
    const LineSearchResult result = search(problem, measure);
    EXPECT_EQ(result.jumps, 0U) << measure;
    EXPECT_EQ(result.best.low, -kInfinity);
    EXPECT_EQ(result.best.high, kInfinity);
    EXPECT_NEAR(
        result.best.value,
        evaluate(parse_measure(measure, {}), {}, problem.data(), problem.base, bench.context),
        1e-11)
        << measure;
  }
}

// More pairs than are kept in memory at a time.
TEST(ExactLineSearch, SlabsOfALongListAreConsistent) {
  testing::Bench bench(1);
  Random random(65);
  Problem problem = many(3600, 0, 0);
  for (std::size_t i = 0; i < problem.base.size(); ++i) {
    problem.labels[i] = 1 + static_cast<float>(i % 2);
    problem.base[i] = random.uniform();
    problem.direction[i] = static_cast<double>(random.below(40)) / 8 + random.uniform() / 64;
  }
  const ExactLineSearch search(problem.data(), parse_measure("nDCG", {}), {}, bench.context);
  const auto pieces = search.pieces(problem.line(), bench.context);
  ASSERT_GT(pieces.size(), 1000000U);
  for (std::size_t p = 5; p < pieces.size(); p += pieces.size() / 40) {
    const LinePiece& piece = pieces[p];
    if (piece.high - piece.low < 1e-12 * std::abs(piece.low)) continue;
    ASSERT_NEAR(evaluate(parse_measure("nDCG", {}), {}, problem.data(),
                         problem.scores(between(piece.low, piece.high)), bench.context),
                piece.value, 1e-9)
        << piece.low << " " << piece.high;
  }
}

// All lines through one point, and two bundles of parallel lines.
TEST(ExactLineSearch, TensOfThousandsOfLinesInDegeneratePositions) {
  Problem star = many(30000, 0, 0);
  Problem bundles = star;
  for (std::size_t i = 0; i < star.direction.size(); ++i) {
    star.direction[i] = static_cast<double>(i * 7919 % 30000);
    bundles.direction[i] = static_cast<double>(i % 2);
    bundles.base[i] = static_cast<double>(i / 100);
  }
  EXPECT_EQ(search(star, "nDCG@10").jumps, 1U);
  EXPECT_EQ(search(star, "ERR@10").jumps, 1U);
  const LineSearchResult result = search(bundles, "nDCG@10");
  EXPECT_LE(result.jumps, 400U);
  testing::Bench bench(1);
  EXPECT_NEAR(evaluate(parse_measure("nDCG@10", {}), {}, bundles.data(),
                       bundles.scores(result.middle), bench.context),
              result.best.value, 1e-11);
}

TEST(ExactLineSearch, DirectionsOfZeroAndListsOfOneAreOneInterval) {
  Problem still = many(40, 0, 0);
  for (std::size_t i = 0; i < 40; ++i) still.base[i] = static_cast<double>(i);
  for (const char* measure : {"nDCG@10", "AP", "tau"}) {
    const LineSearchResult result = search(still, measure);
    EXPECT_EQ(result.best.low, -kInfinity);
    EXPECT_EQ(result.best.high, kInfinity);
    EXPECT_EQ(result.middle, 0);
  }
  Problem alone = many(3, 1, 2);
  alone.lengths = {1, 1, 1};
  alone.direction = {1, 2, 3};
  EXPECT_EQ(search(alone, "nDCG@10").jumps, 0U);
}

TEST(ExactLineSearch, HugeAndTinyNumbers) {
  testing::Bench bench(1);
  Random random(63);
  constexpr double kSizes[] = {1e30, -1e30, 1, -1, 1e-30, 0, 3e29, 7};
  for (const char* name : {"nDCG@3", "AP", "ERR"})
    for (int i = 0; i < 300; ++i) {
      Problem problem = many(6, 0, 0);
      for (std::size_t d = 0; d < 6; ++d) {
        problem.base[d] = kSizes[random.below(8)];
        problem.direction[d] = kSizes[random.below(8)];
      }
      const ExactLineSearch search(problem.data(), parse_measure(name, {}), {}, bench.context);
      const auto pieces = search.pieces(problem.line(), bench.context);
      double best = 0;
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        best = std::max(best, pieces[p].value);
        ASSERT_EQ(pieces[p].low, p > 0 ? pieces[p - 1].high : -kInfinity);
        ASSERT_LT(pieces[p].low, pieces[p].high);
      }
      ASSERT_EQ(search.search(problem.line(), bench.context).best.value, best);
    }
}

TEST(ExactLineSearch, RefusesInvalidInput) {
  Problem problem = many(4, 0, 1);
  problem.base[2] = std::nan("");
  EXPECT_THROW(search(problem, "nDCG@10"), Error);
  problem.base[2] = 1e101;
  EXPECT_THROW(search(problem, "nDCG@10"), Error);
  problem.base[2] = 0;
  problem.low = problem.high = 1;
  EXPECT_THROW(search(problem, "nDCG@10"), Error);
  problem.high = 2;
  problem.base.pop_back();
  EXPECT_THROW(search(problem, "nDCG@10"), Error);
}

TEST(ExactLineSearch, FollowsWeightsAndDocids) {
  testing::Bench bench(1);
  DatasetParts parts = many(4, 0, 0).data().parts();
  parts.query_begin = std::vector<std::uint64_t>{0, 2, 4};
  parts.qids = make_strings(std::vector<std::string>{"a", "b"});
  parts.labels = std::vector<float>{1, 0, 1, 0};
  parts.query_weights = std::vector<float>{1, 3};
  parts.docids = make_strings(std::vector<std::string>{"x", "y", "y", "x"});
  const Dataset data(std::move(parts));
  const std::vector<double> base = {0, 0, 0, 0}, direction = {1, 1, 2, 2};
  const Convention convention{.ties = Ties::docid};
  const ExactLineSearch search(data, parse_measure("P@1", {}), convention, bench.context);
  EXPECT_EQ(search.search({base, direction}, bench.context).best.value, 0.75);
}

// Long enough for several chunks, and for buckets of jumps.
Problem large_problem() {
  Random random(64);
  Problem problem;
  for (int q = 0; q < 300; ++q) {
    problem.lengths.push_back(1 + random.below(60));
    for (std::size_t i = 0; i < problem.lengths.back(); ++i) {
      problem.labels.push_back(static_cast<float>(random.below(5)));
      problem.base.push_back(random.uniform());
      problem.direction.push_back(random.below(3) == 0 ? 0 : random.uniform());
    }
  }
  return problem;
}

TEST(ExactLineSearch, BucketsAgreeWithSortingAllJumps) {
  testing::Bench bench(1);
  Problem problem = large_problem();
  for (const char* name : {"nDCG@10", "AP", "ERR", "AUC"}) {
    const ExactLineSearch search(problem.data(), parse_measure(name, {}), {}, bench.context);
    const auto pieces = search.pieces(problem.line(), bench.context);
    EXPECT_GT(pieces.size(), 2000U);
    for (const double current : {-3.0, 0.1, 50.0}) {
      problem.current = current;
      const LinePiece found = search.search(problem.line(), bench.context).best;
      const LinePiece* best = &pieces[0];
      for (const LinePiece& piece : pieces)
        if (piece.value > best->value ||
            (piece.value == best->value && !holds(*best, current) &&
             (holds(piece, current) || piece.high - piece.low > best->high - best->low)))
          best = &piece;
      EXPECT_EQ(found.value, best->value);
      EXPECT_EQ(found.low, best->low);
      EXPECT_EQ(found.high, best->high);
    }
    const std::vector<double> scores =
        problem.scores(search.search(problem.line(), bench.context).middle);
    EXPECT_NEAR(evaluate(parse_measure(name, {}), {}, problem.data(), scores, bench.context),
                search.search(problem.line(), bench.context).best.value, 1e-11);
  }
}

TEST(ExactLineSearch, SameBitsForAnyThreadsAndRanks) {
  const Problem problem = large_problem();
  const Dataset data = problem.data();
  for (const char* name : {"nDCG@10", "AP", "GMAP", "NumRel"}) {
    const LineSearchResult one = search(problem, name, 1), three = search(problem, name, 3);
    EXPECT_EQ(one.best.value, three.best.value);
    EXPECT_EQ(one.best.low, three.best.low);
    EXPECT_EQ(one.jumps, three.jumps);
    run_in_threads(3, [&](Communicator& comm) {
      ThreadPool pool(1);
      Observer observer;
      Context context{1, pool, comm, observer};
      std::vector<std::size_t> mine;
      for (std::size_t q = static_cast<std::size_t>(comm.rank()); q < data.queries(); q += 3)
        mine.push_back(q);
      std::vector<double> base, direction;
      for (const std::size_t q : mine)
        for (std::size_t i = data.begin(q); i < data.end(q); ++i) {
          base.push_back(problem.base[i]);
          direction.push_back(problem.direction[i]);
        }
      const ExactLineSearch search(select_queries(data, mine), parse_measure(name, {}), {},
                                   context);
      const LineSearchResult here = search.search({base, direction}, context);
      EXPECT_EQ(here.best.value, one.best.value) << name;
      EXPECT_EQ(here.best.low, one.best.low);
      EXPECT_EQ(here.best.high, one.best.high);
      EXPECT_EQ(here.jumps, one.jumps);
    });
  }
}

}  // namespace
}  // namespace podium::exact_line_search_test
