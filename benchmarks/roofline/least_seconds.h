// The time of a piece of work: the minimum of several stretches, each long enough for the clock,
// because other activity on the machine only adds time.
#pragma once

#include <algorithm>
#include <chrono>

namespace podium {

template <class Work>
double least_seconds(Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr double kStretch = 0.02;
  constexpr int kStretches = 7;
  double least = 1e300;
  work();
  for (int i = 0; i < kStretches; ++i) {
    const auto begin = Clock::now();
    double seconds = 0;
    int runs = 0;
    do {
      work();
      ++runs;
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    } while (seconds < kStretch);
    least = std::min(least, seconds / runs);
  }
  return least;
}

}  // namespace podium
