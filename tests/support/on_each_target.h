// Runs a test once for each instruction set of this machine:
//
//   class FastForestOn : public testing::OnEachTarget {};
//   PODIUM_ON_EACH_TARGET(FastForestOn);
//   TEST_P(FastForestOn, …)
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace podium::testing {

// 0: the machine's default.
inline void choose_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

class OnEachTarget : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { choose_target(GetParam()); }
  void TearDown() override { choose_target(0); }
};

inline std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> out;
  for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
    out.push_back(rest & -rest);
  return out;
}

}  // namespace podium::testing

#define PODIUM_ON_EACH_TARGET(suite)                                                          \
  INSTANTIATE_TEST_SUITE_P(Targets, suite, ::testing::ValuesIn(::podium::testing::targets()), \
                           [](const auto& info) { return hwy::TargetName(info.param); })
