#include "podium/thread_pool.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "podium/error.h"

namespace podium::thread_pool_test {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> runs(count);
      pool.run(count, [&](std::size_t i) { ++runs[i]; });
      for (const auto& r : runs) EXPECT_EQ(r, 1);
    }
  }
}

TEST(ThreadPool, RethrowsTheFirstTasksException) {
  ThreadPool pool(4);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::string caught;
    try {
      pool.run(100, [](std::size_t i) {
        if (i % 10 == 7) throw Error(ErrorCode::data, std::to_string(i));
      });
    } catch (const Error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "7");
  }
}

TEST(ThreadPool, NestedRunsStayInTheThread) {
  ThreadPool pool(3);
  std::atomic<int> runs = 0;
  pool.run(8, [&](std::size_t) { pool.run(8, [&](std::size_t) { ++runs; }); });
  EXPECT_EQ(runs, 64);
}

TEST(ParallelReduce, SameBitsForAnyNumberOfThreads) {
  std::vector<double> terms(10007);
  for (std::size_t i = 0; i < terms.size(); ++i)
    terms[i] = (i % 3 ? 1.0 : -1.0) / static_cast<double>(i + 1) * (i % 7 ? 1 : 1e9);
  const auto sum = [&](int threads) {
    ThreadPool pool(threads);
    return parallel_reduce(
        pool, terms.size(), 100, 0.0,
        [&](std::size_t begin, std::size_t end) {
          return std::accumulate(terms.begin() + static_cast<std::ptrdiff_t>(begin),
                                 terms.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        },
        [](double& total, double part) { total += part; });
  };
  const double one = sum(1);
  EXPECT_NEAR(one, std::accumulate(terms.begin(), terms.end(), 0.0), 1e-3);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(sum(threads), one);
}

// Workers between two jobs, asleep and awake: none may miss a task or run one twice.
TEST(ThreadPool, EveryTaskOfManySmallJobsRunsOnce) {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> runs(64);
  for (int job = 0; job < 3000; ++job) {
    const std::size_t count = 2 + static_cast<std::size_t>(job) % 60;
    pool.run(count, [&](std::size_t i) { ++runs[i]; });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(runs[i].exchange(0), 1) << "job " << job;
    if (job % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // they sleep
  }
}

TEST(ThreadPool, AJobStandsUntilItsLastTaskHasEnded) {
  ThreadPool pool(3);
  for (int job = 0; job < 200; ++job) {
    auto sums = std::make_unique<std::vector<int>>(50);
    pool.run(sums->size(), [&](std::size_t i) { (*sums)[i] = static_cast<int>(i); });
    ASSERT_EQ(std::accumulate(sums->begin(), sums->end(), 0), 49 * 50 / 2);
    sums.reset();
  }
}

TEST(ThreadPool, MoreThreadsThanProcessorsDoTheirWork) {
  ThreadPool pool(available_processors() + 9);
  std::atomic<std::size_t> sum = 0;
  for (int job = 0; job < 50; ++job) pool.run(100, [&](std::size_t i) { sum += i; });
  EXPECT_EQ(sum, 50U * 4950);
}

}  // namespace
}  // namespace podium::thread_pool_test
