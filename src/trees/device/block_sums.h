// Sums over the threads of a block.
#pragma once

#include <cstdint>

#include "device/both.h"

namespace podium {

// The sum of values[thread] over all threads: in shared[0], after this. T has +=; kThreads is a
// power of two; `shared` has room for kThreads values. The order of additions is fixed, but T
// should be a kind of integer anyway.
template <unsigned kThreads, class Block, class Values, class T>
PODIUM_BOTH void sum_threads(Block& block, Values& values, T* shared) {
  block.each([&](unsigned thread) { shared[thread] = values[thread]; });
  for (unsigned half = kThreads / 2; half > 0; half /= 2)
    block.each([&](unsigned thread) {
      if (thread < half) shared[thread] += shared[thread + half];
    });
}

// Running sums: sums[thread] becomes the sum of values[0] … values[thread], or where kPart is
// given, of those in the thread's part of kPart threads. Returns the array that holds them, one of
// two in `shared`, which has room for 2 · kThreads values.
template <unsigned kThreads, unsigned kPart = kThreads, class Block, class Values, class T>
PODIUM_BOTH T* run_sums(Block& block, Values& values, T* shared) {
  static_assert(kThreads % kPart == 0 && (kPart & (kPart - 1)) == 0);
  T* from = shared;
  T* to = shared + kThreads;
  block.each([&](unsigned thread) { from[thread] = values[thread]; });
  for (unsigned step = 1; step < kPart; step *= 2) {
    block.each([&](unsigned thread) {
      to[thread] = from[thread];
      if (thread % kPart >= step) to[thread] += from[thread - step];
    });
    T* const other = from;
    from = to;
    to = other;
  }
  return from;
}

}  // namespace podium
