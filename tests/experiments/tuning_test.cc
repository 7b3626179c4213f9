#include "experiments/tuning.h"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "experiments/latin_hypercube.h"
#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::tuning_test {
namespace {

using testing::Bench;

TEST(LatinHypercube, HasOnePointInEverySlice) {
  for (const std::size_t points : {1, 2, 7, 50}) {
    const auto cube = latin_hypercube(points, 3, 42);
    ASSERT_EQ(cube.size(), points);
    for (std::size_t d = 0; d < 3; ++d) {
      std::set<std::size_t> slices;
      for (const auto& point : cube) {
        EXPECT_GE(point[d], 0);
        EXPECT_LT(point[d], 1);
        slices.insert(static_cast<std::size_t>(point[d] * static_cast<double>(points)));
      }
      EXPECT_EQ(slices.size(), points);
    }
  }
  EXPECT_EQ(latin_hypercube(5, 2, 1), latin_hypercube(5, 2, 1));
  EXPECT_NE(latin_hypercube(5, 2, 1), latin_hypercube(5, 2, 2));
  EXPECT_TRUE(latin_hypercube(0, 2, 1).empty());
}

// How often tuning would try each value of a field, in this many trials.
std::map<std::string, double> tried(const SearchRange& range, const Value& initial,
                                    std::size_t trials, std::uint64_t seed) {
  std::map<std::string, double> times;
  for (const auto& point : latin_hypercube(trials, 2, seed)) ++times[range.at(point[1], initial)];
  return times;
}

void expect_share(double times, double share) {
  RC_ASSERT(times >= std::floor(share - 1e-9));
  RC_ASSERT(times <= std::ceil(share + 1e-9));
}

RC_GTEST_PROP(LatinHypercube, TriesEveryChoiceEquallyOftenButForOne, ()) {
  const auto choices = *rc::gen::inRange<std::size_t>(1, 9);
  const auto trials = *rc::gen::inRange<std::size_t>(0, 60);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < choices; ++c) names.push_back("choice " + std::to_string(c));
  auto times = tried(among(names), std::string(), trials, *rc::gen::arbitrary<std::uint64_t>());
  for (const std::string& name : names)
    expect_share(times[name], static_cast<double>(trials) / static_cast<double>(choices));
}

RC_GTEST_PROP(LatinHypercube, TriesWholeNumbersAsOftenAsTheirShareButForOne, ()) {
  const auto low = *rc::gen::inRange(1, 10), high = low + *rc::gen::inRange(1, 20);
  const auto trials = *rc::gen::inRange<std::size_t>(0, 60);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto n = static_cast<double>(trials);
  auto even = tried(evenly(low, high), std::int64_t{1}, trials, seed);
  auto by_factor = tried(by_factors(low, high), std::int64_t{1}, trials, seed);
  const double factors = std::log((high + 0.5) / (low - 0.5));
  for (int v = low; v <= high; ++v) {
    expect_share(even[std::to_string(v)], n / (high - low + 1));
    expect_share(by_factor[std::to_string(v)], n * std::log((v + 0.5) / (v - 0.5)) / factors);
  }
}

// x in 0 … 1 and n in 1 … 100; the best is x = 0.7, n = 10.
std::vector<Field> fields() {
  std::vector<Field> all = {{"x", "", 0.0}, {"n", "", std::int64_t{1}}, {"fixed", "", 1.0}};
  all[0].search = evenly(0, 1);
  all[1].search = by_factors(1, 100);
  return all;
}

double quality(const Assignments& options) {
  double x = 0, n = 1;
  for (const auto& [name, value] : options) (name == "x" ? x : n) = std::stod(value);
  return -std::abs(x - 0.7) - std::abs(std::log10(n) - 1);
}

struct Calls {
  std::mutex mutex;
  std::map<double, std::vector<Assignments>> by_share;
  RunTrial run() {
    return [this](const Assignments& options, double share) {
      const std::scoped_lock lock(mutex);
      by_share[share].push_back(options);
      return quality(options);
    };
  }
};

Tuned tune_with(const TuningPlan& plan, std::size_t queries, const RunTrial& run, int threads = 1) {
  Bench bench(threads);
  const auto all = fields();
  return tune(search_space(all, Settings(all, {})), plan, queries, run, bench.context);
}

TEST(Tuning, FixedOptionsAreNotSearched) {
  const auto all = fields();
  EXPECT_EQ(search_space(all, Settings(all, {})).size(), 2U);
  const auto space = search_space(all, Settings(all, {{"x", "0.5"}}));
  ASSERT_EQ(space.size(), 1U);
  EXPECT_EQ(space[0]->name, "n");
}

TEST(Tuning, TriesTheDefaultsAndTakesTheBest) {
  Calls calls;
  const Tuned tuned = tune_with({30, SearchMethod::latin_hypercube}, 100, calls.run());
  ASSERT_EQ(tuned.trials.size(), 30U);
  EXPECT_TRUE(tuned.trials[0].options.empty());
  EXPECT_EQ(calls.by_share.at(1).size(), 30U);
  for (const Trial& trial : tuned.trials) EXPECT_LE(*trial.value, *tuned.trials[tuned.best].value);
  EXPECT_GT(*tuned.trials[tuned.best].value, -0.5);
}

TEST(Tuning, TheFirstOfEqualTrialsIsChosen) {
  const Tuned tuned = tune_with({10, SearchMethod::latin_hypercube}, 100,
                                [](const Assignments&, double) { return 0.5; });
  EXPECT_EQ(tuned.best, 0U);
}

TEST(Tuning, ThreadsChangeNothing) {
  const auto run = [](const Assignments& options, double share) {
    return quality(options) * share;
  };
  for (const SearchMethod method :
       {SearchMethod::latin_hypercube, SearchMethod::successive_halving}) {
    const Tuned one = tune_with({20, method}, 1000, run, 1),
                four = tune_with({20, method}, 1000, run, 4);
    EXPECT_EQ(one.best, four.best);
    ASSERT_EQ(one.trials.size(), four.trials.size());
    for (std::size_t i = 0; i < one.trials.size(); ++i) {
      EXPECT_EQ(one.trials[i].options, four.trials[i].options);
      EXPECT_EQ(one.trials[i].value, four.trials[i].value);
    }
  }
}

TEST(SuccessiveHalving, KeepsTheBetterHalfOnTwiceTheQueries) {
  Calls calls;
  const Tuned tuned = tune_with({10, SearchMethod::successive_halving}, 1000, calls.run());
  ASSERT_EQ(calls.by_share.size(), 4U);
  EXPECT_EQ(calls.by_share.at(0.125).size(), 10U);
  // Half of them, and the defaults, which are among the worst here.
  EXPECT_EQ(calls.by_share.at(0.25).size(), 6U);
  EXPECT_EQ(calls.by_share.at(0.5).size(), 4U);
  EXPECT_EQ(calls.by_share.at(1).size(), 3U);
  for (const auto& [share, options] : calls.by_share) EXPECT_TRUE(options[0].empty());
  EXPECT_EQ(tuned.trials[tuned.best].share, 1);
  EXPECT_EQ(tuned.trials[tuned.best].stage, 4);
  // Quality does not depend on the share here: the best of all reaches the end.
  double best = -1e9;
  for (const Trial& trial : tuned.trials) best = std::max(best, *trial.value);
  EXPECT_EQ(*tuned.trials[tuned.best].value, best);
}

TEST(SuccessiveHalving, FewQueriesHaveFewStages) {
  Calls calls;
  tune_with({10, SearchMethod::successive_halving}, 50, calls.run());
  EXPECT_EQ(calls.by_share.size(), 2U);
  calls.by_share.clear();
  tune_with({10, SearchMethod::successive_halving}, 10, calls.run());
  EXPECT_EQ(calls.by_share.size(), 1U);
}

TEST(Tuning, AFailedTrialIsNotChosen) {
  const Tuned tuned =
      tune_with({10, SearchMethod::latin_hypercube}, 100, [](const Assignments& options, double) {
        if (options.empty()) throw Error(ErrorCode::training, "diverged");
        return quality(options) - 100;
      });
  EXPECT_FALSE(tuned.trials[0].value);
  EXPECT_EQ(tuned.trials[0].message, "diverged");
  EXPECT_TRUE(tuned.trials[tuned.best].value);
}

TEST(Tuning, FailsWhenEveryTrialFails) {
  EXPECT_THROW(tune_with({3, SearchMethod::latin_hypercube}, 100,
                         [](const Assignments&, double) -> double {
                           throw Error(ErrorCode::training, "diverged");
                         }),
               Error);
}

TEST(Tuning, WithoutASpaceThereIsOneTrial) {
  Bench bench;
  const Tuned tuned = tune(
      {}, {10, SearchMethod::latin_hypercube}, 100, [](const Assignments&, double) { return 1.0; },
      bench.context);
  EXPECT_EQ(tuned.trials.size(), 1U);
}

TEST(Tuning, ATrialWithoutAValueFailed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto first_is_nan = [&](const Assignments& options, double) {
    return options.empty() ? nan : quality(options);
  };
  const Tuned tuned = tune_with({8, SearchMethod::latin_hypercube}, 100, first_is_nan);
  EXPECT_FALSE(tuned.trials[0].value);
  EXPECT_NE(tuned.trials[0].message, "");
  for (std::size_t i = 1; i < tuned.trials.size(); ++i)
    EXPECT_LE(*tuned.trials[i].value, *tuned.trials[tuned.best].value);
  const auto never = [&](const Assignments&, double) { return nan; };
  EXPECT_THROW(tune_with({3, SearchMethod::latin_hypercube}, 100, never), Error);
}

}  // namespace
}  // namespace podium::tuning_test
