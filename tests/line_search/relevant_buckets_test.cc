// Long lists counted in buckets: the codes of crossings, and the same piece as from a walk over all
// jumps.
#include "line_search/relevant_buckets.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "core/random.h"
#include "line_search/exact_line_search.h"
#include "podium/communicator.h"
#include "support/toy_data.h"

namespace podium::relevant_buckets_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Numbers { real, few_slopes, whole, twins, outliers };
constexpr Numbers kAllNumbers[] = {Numbers::real, Numbers::few_slopes, Numbers::whole,
                                   Numbers::twins, Numbers::outliers};

double draw(Random& random, Numbers numbers) {
  if (numbers == Numbers::whole) return static_cast<double>(random.below(2000)) - 1000;
  if (numbers == Numbers::outliers && random.below(20) == 0) return random.below(2) ? 1e60 : -1e-60;
  return random.uniform() - 0.5;
}

Line draw_line(Random& random, Numbers numbers) {
  const double slope =
      numbers == Numbers::few_slopes ? static_cast<double>(random.below(7)) : draw(random, numbers);
  return {slope, draw(random, numbers)};
}

std::size_t code_by_hand(const Line& line, const Line& other, GridRange range,
                         const SampledBuckets& bucket_of) {
  if (line.slope == other.slope) return kNoCrossing;
  const bool rises = other.slope > line.slope;
  const double alpha = rises ? crossing(line, other) : crossing(other, line);
  if (!(alpha > range.low && alpha < range.high)) return kNoCrossing;
  return 2 * bucket_of(alpha) + (rises ? 1 : 0);
}

TEST(CrossingRow, IsTheCrossingOfEachPairForEveryInstructionSet) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    Random random(7);
    for (const Numbers numbers : kAllNumbers)
      for (std::size_t count = 1; count < 200; count += 13) {
        std::vector<Line> lines(count);
        OtherLines others;
        for (Line& line : lines) others.add(line = draw_line(random, numbers));
        others.pad();
        const GridRange range =
            count % 2 ? GridRange{-kNever, kNever} : GridRange{to_grid(-0.7), to_grid(1.3)};
        const SampledBuckets bucket_of({random.uniform(), 0.4, random.uniform() + 1, -1});
        std::vector<RowCode> codes(others.padded_size());
        const Line line = draw_line(random, numbers);
        find_row(line, others, range, bucket_of, codes.data());
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(codes[i], code_by_hand(line, lines[i], range, bucket_of)) << i;
      }
  }
  hwy::SetSupportedTargetsForTest(0);
}

struct Problem {
  std::vector<std::size_t> lengths;
  std::vector<float> labels;
  std::vector<double> base, direction;
};

// Some lists are too short to be counted; the fraction `graded` of the labels is relevant.
Problem random_problem(Random& random, Numbers numbers, double graded) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  Problem problem;
  for (const std::size_t length : {400, 20, 330, 1, 260, 90}) {
    problem.lengths.push_back(length);
    for (std::size_t i = 0; i < length; ++i) {
      const float label = random.uniform() < graded ? static_cast<float>(1 + random.below(3)) : 0;
      problem.labels.push_back(random.below(30) == 0 ? kNan : label);
      const Line line = draw_line(random, numbers);
      const bool repeated = numbers == Numbers::twins && i > 0 && random.below(8) == 0;
      problem.base.push_back(repeated ? problem.base.back() : line.intercept + 0.1 * label);
      problem.direction.push_back(repeated ? problem.direction.back() : line.slope + 0.1 * label);
    }
  }
  return problem;
}

LinePiece best_of(const std::vector<LinePiece>& pieces, double current) {
  const auto holds = [&](const LinePiece& piece) {
    return piece.low < current && current < piece.high;
  };
  const LinePiece* best = &pieces[0];
  for (const LinePiece& piece : pieces)
    if (piece.value > best->value ||
        (piece.value == best->value && !holds(*best) &&
         (holds(piece) || piece.high - piece.low > best->high - best->low)))
      best = &piece;
  return *best;
}

void expect_same(const LinePiece& found, const LinePiece& wanted) {
  EXPECT_EQ(found.value, wanted.value);
  EXPECT_EQ(found.low, wanted.low);
  EXPECT_EQ(found.high, wanted.high);
}

TEST(RelevantBuckets, AgreeWithAWalkOverAllJumps) {
  testing::Bench bench(2);
  Random random(11);
  for (const Numbers numbers : kAllNumbers)
    for (const double graded : {0.1, 0.5, 0.9})
      for (const char* name : {"AP", "AUC", "GMAP"})
        for (const Ties ties : {Ties::expected, Ties::stable}) {
          SCOPED_TRACE(::testing::Message()
                       << name << " " << static_cast<int>(numbers) << " " << graded);
          const Problem problem = random_problem(random, numbers, graded);
          const Dataset data = testing::make_dataset(problem.lengths, 0, {}, problem.labels);
          const ExactLineSearch search(data, parse_measure(name, {}), {.ties = ties},
                                       bench.context);
          for (const double low : {-kInfinity, -0.3}) {
            SearchLine line{problem.base, problem.direction, low, low < -1 ? kInfinity : 0.8};
            line.current = random.uniform();
            const auto pieces = search.pieces(line, bench.context);
            expect_same(search.search(line, bench.context).best, best_of(pieces, line.current));
          }
        }
}

// Constant sums leave all buckets, and many runs.
TEST(RelevantBuckets, HandleConstantSums) {
  testing::Bench bench;
  Random random(3);
  Problem problem = random_problem(random, Numbers::real, 0.4);
  const std::size_t documents = problem.labels.size();
  // Two halves of one data set, the second with inverted labels: AUC is ½ everywhere.
  for (std::size_t i = 0; i < documents; ++i) {
    if (std::isnan(problem.labels[i])) problem.labels[i] = 0;
    problem.labels[i] = problem.labels[i] > 0 ? 1.0F : 0.0F;
  }
  problem.lengths = {400, 400};
  for (auto* numbers : {&problem.base, &problem.direction}) {
    numbers->resize(400);
    numbers->insert(numbers->end(), numbers->begin(), numbers->begin() + 400);
  }
  problem.labels.resize(400);
  for (std::size_t i = 0; i < 400; ++i) problem.labels.push_back(1 - problem.labels[i]);
  const Dataset data = testing::make_dataset(problem.lengths, 0, {}, problem.labels);
  const ExactLineSearch search(data, parse_measure("AUC", {}), {}, bench.context);
  const LineSearchResult found = search.search({problem.base, problem.direction}, bench.context);
  EXPECT_NEAR(found.best.value, 0.5, 1e-12);
  EXPECT_EQ(found.best.low, -kInfinity);
  EXPECT_EQ(found.best.high, kInfinity);
}

TEST(RelevantBuckets, SameBitsForAnyThreadsAndRanks) {
  Random random(5);
  Problem problem = random_problem(random, Numbers::twins, 0.3);
  for (int more = 0; more < 4; ++more) {
    const Problem other = random_problem(random, Numbers::real, 0.3);
    problem.lengths.insert(problem.lengths.end(), other.lengths.begin(), other.lengths.end());
    problem.labels.insert(problem.labels.end(), other.labels.begin(), other.labels.end());
    problem.base.insert(problem.base.end(), other.base.begin(), other.base.end());
    problem.direction.insert(problem.direction.end(), other.direction.begin(),
                             other.direction.end());
  }
  const Dataset data = testing::make_dataset(problem.lengths, 0, {}, problem.labels);
  const auto find = [](const Dataset& queries, const SearchLine& line, Context& context) {
    return ExactLineSearch(queries, parse_measure("AP", {}), {}, context).search(line, context);
  };
  testing::Bench bench(1), three(3);
  const SearchLine line{problem.base, problem.direction};
  const LineSearchResult one = find(data, line, bench.context);
  EXPECT_GT(one.jumps, 65536U);
  const LineSearchResult threads = find(data, line, three.context);
  expect_same(threads.best, one.best);
  EXPECT_EQ(threads.jumps, one.jumps);
  run_in_threads(3, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer observer;
    Context context{1, pool, comm, observer};
    std::vector<std::size_t> mine;  // the last rank has short lists only
    std::vector<double> base, direction;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const std::size_t length = data.end(q) - data.begin(q);
      const int rank = length < 50 ? 2 : static_cast<int>(q % 2);
      if (rank != comm.rank()) continue;
      mine.push_back(q);
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) {
        base.push_back(problem.base[i]);
        direction.push_back(problem.direction[i]);
      }
    }
    const LineSearchResult here = find(select_queries(data, mine), {base, direction}, context);
    expect_same(here.best, one.best);
    EXPECT_EQ(here.jumps, one.jumps);
  });
}

}  // namespace
}  // namespace podium::relevant_buckets_test
