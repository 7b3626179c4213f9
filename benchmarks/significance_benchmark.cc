// Sign flips of 30 systems on 10,000 queries, 10,000 permutations: max-T against a baseline and of
// all pairs, and a straightforward loop over permutations, systems and queries (of which fewer
// permutations are timed and the time scaled). Both count the same flips; the counts are compared.
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "core/random.h"
#include "podium/significance.h"

namespace podium {
namespace {

constexpr std::size_t kSystems = 30, kQueries = 10000, kFlips = 10000, kLoopFlips = 500;

// Wall-clock time, and the processor time of all threads, which does not depend on the load of the
// machine.
struct Seconds {
  double wall = 0, processor = 0;
};

template <class Work>
Seconds seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

void print(std::string_view what, Seconds time) {
  fmt::print("  {:<40} {:8.3f} s wall {:8.3f} s processor\n", what, time.wall, time.processor);
}

std::vector<std::vector<double>> make_systems() {
  Random random(1);
  std::vector<std::vector<double>> values(kSystems, std::vector<double>(kQueries));
  for (std::size_t q = 0; q < kQueries; ++q) {
    const double difficulty = random.uniform();
    for (std::size_t s = 0; s < kSystems; ++s)
      values[s][q] = 0.7 * difficulty + 0.3 * random.uniform() + 2e-5 * static_cast<double>(s);
  }
  return values;
}

// Unadjusted p of each system against system 0.
std::vector<double> loop(const std::vector<std::vector<double>>& values, std::uint64_t seed) {
  std::vector<std::vector<double>> d(kSystems, std::vector<double>(kQueries));
  std::vector<double> observed(kSystems), p(kSystems, 1), signs(kQueries);
  for (std::size_t s = 0; s < kSystems; ++s)
    for (std::size_t q = 0; q < kQueries; ++q) {
      d[s][q] = values[s][q] - values[0][q];
      observed[s] += d[s][q];
    }
  for (std::size_t f = 0; f < kLoopFlips; ++f) {
    Random random(seed, f);
    std::uint64_t bits = 0;
    for (std::size_t q = 0; q < kQueries; ++q, bits >>= 1) {
      if (q % 64 == 0) bits = random.next();
      signs[q] = bits & 1 ? -1 : 1;
    }
    for (std::size_t s = 0; s < kSystems; ++s) {
      double sum = 0;
      for (std::size_t q = 0; q < kQueries; ++q) sum += signs[q] * d[s][q];
      p[s] += std::abs(sum) >= std::abs(observed[s]);
    }
  }
  for (double& x : p) x /= kLoopFlips + 1;
  return p;
}

void measure(int threads, Seconds straightforward, const std::vector<std::vector<double>>& values) {
  ThreadPool pool(threads);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  fmt::print("{} thread(s)\n", threads);
  const Seconds against = seconds([&] { max_t_against(values, 0, kFlips, context); });
  print("max-T against a baseline", against);
  print("max-T of all 435 pairs", seconds([&] { max_t_all_pairs(values, kFlips, context); }));
  print("one BCa interval", seconds([&] {
          bootstrap_interval(paired_differences(values[1], values[0]), Bootstrap::bca, 0.95, kFlips,
                             context);
        }));
  fmt::print("  against a baseline: {:.0f} times faster than the loop in processor time\n",
             straightforward.processor / against.processor);
}

// Whether the fast count gives the loop's p-values.
bool agrees(const std::vector<std::vector<double>>& values, const std::vector<double>& expected) {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  for (const FamilyMember& member : max_t_against(values, 0, kLoopFlips, context).members)
    if (std::abs(*member.p - expected[member.first]) > 1e-12) {
      fmt::print("system {}: p {} differs from the loop's {}\n", member.first, *member.p,
                 expected[member.first]);
      return false;
    }
  return true;
}

}  // namespace
}  // namespace podium

int main() {
  using namespace podium;
  const auto values = make_systems();
  std::vector<double> expected;
  const std::uint64_t seed = mix(1, hash_text("sign flips"));
  Seconds straightforward = seconds([&] { expected = loop(values, seed); });
  constexpr double kScale = static_cast<double>(kFlips) / kLoopFlips;
  straightforward.wall *= kScale;
  straightforward.processor *= kScale;
  fmt::print("{} systems, {} queries, {} permutations\n", kSystems, kQueries, kFlips);
  print(fmt::format("straightforward loop (scaled from {})", kLoopFlips), straightforward);
  if (!agrees(values, expected)) return 1;
  for (const int threads : {1, 2}) measure(threads, straightforward, values);
}
