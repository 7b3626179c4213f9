// The peaks of this machine, each measured by a loop that does nothing else, in the widest vectors
// that it supports. One thread unless stated otherwise.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace podium {

struct ReadPeak {
  std::string_view where;
  std::size_t bytes;  // per thread
  double one, two;    // threads: bytes per second
};

struct MachinePeaks {
  std::vector<ReadPeak> reads;  // nearest cache first, memory last
  double scattered_lines;       // bytes per second, in lines of 64 of which one word is read
  double flops;                 // double precision; a fused multiply-add is two
  double unfused_flops;         // as many additions as multiplications, not fused
  double divisions;             // double precision
  double tests;                 // a float read, compared, and a word masked by the result
  double updates;               // additions to scattered numbers of a table in the nearest cache
  double updates_of_one;        // to one number: each waits for the previous store
  double instructions;          // independent simple ones: two additions, one load
  double clock;                 // dependent additions: one per cycle
  std::string_view vectors;     // as Highway names them
};

MachinePeaks measure_peaks();

}  // namespace podium
