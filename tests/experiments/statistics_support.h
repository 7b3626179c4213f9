// Systems under a known null hypothesis, and the distance of p-values from uniform.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "core/random.h"
#include "podium/significance.h"

namespace podium {

// A context for tests.
struct TestContext {
  explicit TestContext(std::uint64_t seed = 1, int threads = 1)
      : pool(threads), context{seed, pool, *comm, observer} {}

  ThreadPool pool;
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Observer observer;
  Context context;
};

inline double normal_sample(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) *
         std::cos(2 * std::numbers::pi * random.uniform());
}

// `systems` values per query that share the query's difficulty, so that pairing matters.
inline std::vector<std::vector<double>> correlated_systems(std::size_t systems, std::size_t queries,
                                                           Random& random) {
  std::vector<std::vector<double>> values(systems, std::vector<double>(queries));
  for (std::size_t q = 0; q < queries; ++q) {
    const double difficulty = 2 * normal_sample(random);
    for (auto& system : values) system[q] = difficulty + normal_sample(random);
  }
  return values;
}

// Differences without a largest value to derive the rounding from.
inline PairedDifferences differences_of(std::vector<double> values) {
  const std::vector<double> zeros(values.size());
  return paired_differences(values, zeros);
}

// Kolmogorov and Smirnov's distance from the uniform distribution on [0, 1].
inline double distance_from_uniform(std::vector<double> p) {
  std::sort(p.begin(), p.end());
  const auto n = static_cast<double>(p.size());
  double distance = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    distance = std::max(
        {distance, static_cast<double>(i + 1) / n - p[i], p[i] - static_cast<double>(i) / n});
  return distance;
}

// The distance that uniform p-values exceed once in a thousand times.
inline double uniform_bound(std::size_t simulations) {
  return 1.949 / std::sqrt(static_cast<double>(simulations));
}

}  // namespace podium
