// What this machine can do at best, each measured by a loop that does nothing else, in the widest
// vectors that it has. One thread unless it says two.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace podium {

struct ReadPeak {
  std::string_view where;
  std::size_t bytes;  // a thread
  double one, two;    // threads: bytes per second
};

struct MachinePeaks {
  std::vector<ReadPeak> reads;  // the nearest cache first, memory last
  double scattered_lines;       // bytes per second, in lines of 64 of which one word is read
  double flops;                 // double precision; a fused multiply-add is two
  double unfused_flops;         // as many additions as multiplications, not fused
  double divisions;             // double precision
  double tests;                 // a float read, compared, and a word masked by the result
  double updates;               // additions to scattered numbers of a table in the nearest cache
  double updates_of_one;        // to one number: each waits for the store before it
  double instructions;          // simple ones that wait for nothing: two additions, one load
  double clock;                 // additions that wait for each other: one a cycle
  std::string_view vectors;     // as Highway names them
};

MachinePeaks measure_peaks();

}  // namespace podium
