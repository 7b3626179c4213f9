// 95 % intervals over 1,000 replications: the share that contains the truth is 93.5 to 96.5 %, as
// binomial noise allows at 95 %. Clicks of a PBM are drawn cell by cell, without a file.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "podium/click_model.h"
#include "support/toy_data.h"

namespace podium::coverage_test {
namespace {

constexpr std::size_t kPositions = 5;

double truth(std::size_t p) {
  return 1 / static_cast<double>(p + 1);
}

struct World {
  std::size_t queries;
  std::size_t sessions;  // of each query
  double noise;          // smallest relevance
};

// Every query shows its documents best first, and swaps two of them in a fifth of its sessions.
ClickLog drawn_log(const World& world, std::uint64_t seed) {
  ClickLog log;
  log.positions = kPositions;
  log.query_begin = {0};
  log.cell_begin = {0};
  Random random(seed, 1);
  for (std::uint32_t q = 0; q < world.queries; ++q) {
    std::vector<double> gamma(kPositions);
    for (double& one : gamma) one = world.noise + (1 - world.noise) * std::pow(random.uniform(), 3);
    std::sort(gamma.begin(), gamma.end(), std::greater<>());
    std::vector<std::vector<ClickCell>> cells(kPositions, std::vector<ClickCell>(kPositions));
    for (std::size_t s = 0; s < world.sessions; ++s) {
      std::vector<std::size_t> list(kPositions);
      for (std::size_t p = 0; p < kPositions; ++p) list[p] = p;
      if (random.uniform() < 0.2) {
        const std::size_t a = random.below(kPositions);
        std::swap(list[a], list[(a + 1 + random.below(kPositions - 1)) % kPositions]);
      }
      for (std::size_t p = 0; p < kPositions; ++p) {
        ClickCell& cell = cells[list[p]][p];
        cell.shown += 1;
        if (random.uniform() < truth(p) * gamma[list[p]]) cell.clicked += 1;
      }
    }
    log.qids.push_back(fmt::format("q{}", q));
    for (std::size_t d = 0; d < kPositions; ++d) {
      for (std::size_t p = 0; p < kPositions; ++p) {
        ClickCell cell = cells[d][p];
        if (cell.shown == 0) continue;
        cell.document = static_cast<std::uint32_t>(log.docids.size());
        cell.position = static_cast<std::uint32_t>(p + 1);
        log.cells.push_back(cell);
      }
      log.docids.push_back(fmt::format("d{}", d));
      log.query_of.push_back(q);
      log.cell_begin.push_back(log.cells.size());
    }
    log.query_begin.push_back(log.docids.size());
    log.query_sessions.push_back(static_cast<double>(world.sessions));
    log.session_total += static_cast<double>(world.sessions);
    log.session_count += world.sessions;
    log.lines += world.sessions * kPositions;
  }
  return log;
}

// Of intervals that exist.
struct Covered {
  double intervals = 0, share = 0;
};

Covered coverage(const ClickFitOptions& options, const World& world) {
  constexpr std::uint64_t kReplications = 1000;
  testing::Bench bench;
  double covered = 0, total = 0;
  for (std::uint64_t seed = 1; seed <= kReplications; ++seed) {
    const ClickLog log = drawn_log(world, seed);
    const ClickModel model = fit_click_model(log, options, bench.context);
    for (std::size_t p = 1; p < kPositions; ++p) {
      const ProbabilityInterval& interval = model.intervals[p];
      if (!std::isfinite(interval.high)) continue;
      covered += interval.low <= truth(p) && truth(p) <= interval.high;
      total += 1;
    }
  }
  return {total / kReplications, covered / std::max(total, 1.0)};
}

void expect_covered(const ClickFitOptions& options, const World& world) {
  const Covered found = coverage(options, world);
  EXPECT_EQ(found.intervals, kPositions - 1) << world.sessions;
  EXPECT_GE(found.share, 0.935) << world.sessions;
  EXPECT_LE(found.share, 0.965) << world.sessions;
}

// However few sessions each document has.
TEST(Coverage, Harvest) {
  for (const World& world : {World{40, 100, 0.1}, World{200, 10, 0.1}})
    expect_covered({.model = ClickModelKind::harvest}, world);
}

TEST(Coverage, Pbm) {
  expect_covered({.model = ClickModelKind::pbm}, {20, 500, 0.1});
}

// A relevance of each document biases θ where documents have few clicks: no interval, and a note.
TEST(Coverage, PbmHasNoIntervalsForSparseLogs) {
  testing::Bench bench;
  const ClickModel model = fit_click_model(drawn_log({200, 10, 0.1}, 1), {}, bench.context);
  for (std::size_t p = 1; p < kPositions; ++p) EXPECT_FALSE(std::isfinite(model.intervals[p].high));
  EXPECT_TRUE(std::isfinite(model.intervals[0].high));
}

}  // namespace
}  // namespace podium::coverage_test
