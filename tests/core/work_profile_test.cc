#include "podium/work_profile.h"

#include <ctime>
#include <stdexcept>

#include <gtest/gtest.h>

#include "podium/thread_pool.h"

namespace podium::work_profile_test {
namespace {

void work_for(double seconds) {
  const std::clock_t end =
      std::clock() + static_cast<std::clock_t>(seconds * static_cast<double>(CLOCKS_PER_SEC));
  while (std::clock() < end) {
  }
}

const WorkProfile::Phase& phase_of(const std::vector<WorkProfile::Phase>& phases,
                                   std::string_view name) {
  for (const WorkProfile::Phase& phase : phases)
    if (phase.name == name) return phase;
  throw std::out_of_range(std::string(name));
}

TEST(WorkProfile, SeesWorkSpanAndWhatLiesBetween) {
  WorkProfile profile;
  ThreadPool pool(profile);
  EXPECT_EQ(pool.threads(), WorkProfile::kProfiledThreads);
  {
    const WorkPhase phase(pool, "adding");
    work_for(0.01);
    pool.run(8, [](std::size_t i) { work_for(i == 0 ? 0.02 : 0.01); });
  }
  const auto phases = profile.phases();
  const WorkProfile::Phase& adding = phase_of(phases, "adding");
  EXPECT_EQ(adding.regions, 1U);
  EXPECT_EQ(adding.tasks, 8U);
  EXPECT_NEAR(adding.work, 0.10, 0.01);
  EXPECT_NEAR(adding.span, 0.03, 0.005);
  EXPECT_NEAR(adding.between, 0.01, 0.003);
  // Two threads: 0.02 + 3 × 0.01 beside 4 × 0.01; then whoever is free.
  EXPECT_NEAR(adding.predicted[0], 0.01 + 0.05, 0.006);
  EXPECT_NEAR(adding.predicted[2], 0.01 + 0.02, 0.005);  // eight threads: the longest task
  EXPECT_GE(WorkProfile::total(phases).work, adding.work);
}

TEST(WorkProfile, PhasesNestAndComeBack) {
  WorkProfile profile;
  ThreadPool pool(profile);
  const WorkPhase outer(pool, "outer");
  for (int i = 0; i < 2; ++i) {
    const WorkPhase inner(pool, "inner");
    work_for(0.005);
  }
  work_for(0.005);
  const auto phases = profile.phases();
  EXPECT_NEAR(phase_of(phases, "inner").work, 0.010, 0.003);
  EXPECT_NEAR(phase_of(phases, "outer").work, 0.005, 0.003);
}

TEST(WorkProfile, TasksInsideTasksBelongToTheOuterOnes) {
  WorkProfile profile;
  ThreadPool pool(profile);
  int ran = 0;
  pool.run(2, [&](std::size_t) { pool.run(3, [&](std::size_t) { ++ran; }); });
  EXPECT_EQ(ran, 6);
  EXPECT_EQ(WorkProfile::total(profile.phases()).regions, 1U);
}

TEST(WorkProfile, RethrowsWhatTheFirstTaskThrew) {
  WorkProfile profile;
  ThreadPool pool(profile);
  int ran = 0;
  const auto run = [&] {
    pool.run(4, [&](std::size_t i) {
      ++ran;
      if (i > 0) throw std::runtime_error(std::to_string(i));
    });
  };
  try {
    run();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
  EXPECT_EQ(ran, 4);
}

}  // namespace
}  // namespace podium::work_profile_test
