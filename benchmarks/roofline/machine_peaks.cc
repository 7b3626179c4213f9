#include "roofline/machine_peaks.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include <sys/mman.h>

#include "core/random.h"
#include "podium/thread_pool.h"
#include "roofline/least_seconds.h"
#include "roofline/vector_peaks.h"

namespace podium {
namespace {

// Tells the compiler that a value is needed and may have changed.
template <class T>
inline void keep(T& value) {
  asm volatile("" : "+r"(value));
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using AlignedWords = std::unique_ptr<std::uint64_t[], Free>;

// In huge pages if the system has them, as for data sets.
AlignedWords make_words(std::size_t bytes) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
  AlignedWords words(static_cast<std::uint64_t*>(std::aligned_alloc(kPage, rounded)));
  if (!words) throw std::bad_alloc();
  madvise(words.get(), rounded, MADV_HUGEPAGE);
  for (std::size_t i = 0; i < bytes / 8; ++i) words[i] = i;
  return words;
}

double read_rate(std::size_t bytes, int threads) {
  ThreadPool pool(threads);
  std::vector<AlignedWords> arrays;
  for (int t = 0; t < threads; ++t) arrays.push_back(make_words(bytes));
  const std::size_t passes = std::max<std::size_t>(1, (std::size_t{8} << 20) / bytes);
  std::array<std::uint64_t, 64> sinks = {};
  const double seconds = least_seconds([&] {
    pool.run(arrays.size(), [&](std::size_t t) {
      for (std::size_t i = 0; i < passes; ++i)
        sinks[8 * t] += read_words(arrays[t].get(), bytes / 8);
    });
  });
  return static_cast<double>(passes * bytes * arrays.size()) / seconds;
}

std::vector<ReadPeak> read_peaks() {
  std::vector<ReadPeak> peaks = {{"level 1", std::size_t{16} << 10, 0, 0},
                                 {"level 2", std::size_t{256} << 10, 0, 0},
                                 {"level 3", std::size_t{8} << 20, 0, 0},
                                 {"memory", std::size_t{256} << 20, 0, 0}};
  for (ReadPeak& peak : peaks) {
    peak.one = read_rate(peak.bytes, 1);
    peak.two = read_rate(peak.bytes, 2);
  }
  return peaks;
}

double scattered_rate() {
  constexpr std::size_t kLines = std::size_t{1} << 22, kReads = 1 << 18;
  const AlignedWords words = make_words(64 * kLines);
  std::uint64_t sum = 0, state = 1;
  const double seconds = least_seconds([&] {
    for (std::size_t i = 0; i < kReads; ++i) {
      state = state * 6364136223846793005 + 1442695040888963407;
      sum += words[8 * (state >> 42)];
    }
    keep(sum);
  });
  return 64.0 * kReads / seconds;
}

template <class Run>
double rate_of(Run&& run) {
  double operations = 0, sink = 0;
  const double seconds = least_seconds([&] {
    const PeakRun done = run(std::size_t{100'000});
    operations = done.operations;
    sink += done.result;
  });
  return sink < 0 ? 0 : operations / seconds;
}

// Each row of `width` bytes selects one number in each of as many tables.
template <std::size_t width>
double update_rate(std::uint64_t bins) {
  constexpr std::size_t kBytes = 4096, kBins = 256;
  Random random(3);
  std::vector<std::uint8_t> rows(kBytes);
  for (std::uint8_t& bin : rows) bin = static_cast<std::uint8_t>(random.below(bins));
  std::vector<std::uint64_t> table(width * kBins);
  const double seconds = least_seconds([&] {
    std::uint64_t* const to = table.data();
    std::uint64_t word = 1;
    for (std::size_t row = 0; row < kBytes; row += width) {
      const std::uint8_t* const bin = rows.data() + row;
      keep(word);
#pragma GCC unroll 8
      for (std::size_t c = 0; c < width; ++c) to[c * kBins + bin[c]] += word;
    }
  });
  return kBytes / seconds;
}

double instruction_rate() {
  constexpr std::size_t kRounds = 20'000;
  const std::array<std::uint64_t, 8> memory = {};
  const std::uint64_t* from = memory.data();
  std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  const double seconds = least_seconds([&] {
    for (std::size_t i = 0; i < kRounds; ++i) {
      keep(from);
      const auto step = [&](std::uint64_t& x, std::uint64_t& y, std::size_t at) {
        std::uint64_t loaded = from[at];
        keep(loaded);
        x += 1;
        keep(x);
        y += 1;
        keep(y);
      };
#pragma GCC unroll 4
      for (int again = 0; again < 4; ++again) {
        step(a, b, 0);
        step(c, d, 1);
        step(e, f, 2);
        step(g, h, 3);
      }
    }
  });
  constexpr double kInstructions = 4 * 12 + 3;  // three for the loop
  return kInstructions * kRounds / seconds;
}

double clock_rate() {
  constexpr std::size_t kAdditions = 200'000;
  std::uint64_t x = 0;
  const double seconds = least_seconds([&] {
    for (std::size_t i = 0; i < kAdditions; i += 8)
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) {
        x += 1;
        keep(x);
      }
  });
  return kAdditions / seconds;
}

}  // namespace

MachinePeaks measure_peaks() {
  return {.reads = read_peaks(),
          .scattered_lines = scattered_rate(),
          .flops = rate_of(multiply_add),
          .unfused_flops = rate_of(multiply_and_add),
          .divisions = rate_of(divide),
          .tests = rate_of(test_values),
          .updates = update_rate<8>(255),
          .updates_of_one = update_rate<1>(1),
          .instructions = instruction_rate(),
          .clock = clock_rate(),
          .vectors = vector_peaks_target()};
}

}  // namespace podium
