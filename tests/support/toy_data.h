// Small data sets made in memory, and a context to use them with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium::testing {

// A context with all its parts, without output.
struct Bench {
  explicit Bench(int threads = 1)
      : pool(threads), comm(make_local_communicator()), context{1, pool, *comm, observer} {}
  ThreadPool pool;
  std::unique_ptr<Communicator> comm;
  Observer observer;
  Context context;
};

// Documents of each query, with `features` values each, and labels.
inline Dataset make_dataset(const std::vector<std::size_t>& lengths, std::size_t features,
                            std::vector<float> values, std::vector<float> labels) {
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids;
  for (const std::size_t length : lengths) {
    begin.push_back(begin.back() + length);
    qids.push_back("q" + std::to_string(qids.size() + 1));
  }
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.labels = std::move(labels);
  parts.features = features;
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

// Labels 0…grades−1 follow a noisy linear function of the features.
inline Dataset noisy_linear(std::size_t queries, std::size_t documents, std::size_t features,
                            std::uint64_t seed, int grades = 3) {
  Random random(seed);
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < queries * documents; ++i) {
    double score = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const double x = random.uniform();
      values.push_back(static_cast<float>(x));
      score += (f % 2 ? -1.0 : 1.0) * x / static_cast<double>(f + 1);
    }
    score += 0.3 * (random.uniform() - 0.5);
    const double grade = (score + 0.5) * grades / 1.6;
    labels.push_back(static_cast<float>(static_cast<int>(grade < 0         ? 0
                                                         : grade >= grades ? grades - 1
                                                                           : grade)));
  }
  return make_dataset(std::vector<std::size_t>(queries, documents), features, std::move(values),
                      std::move(labels));
}

}  // namespace podium::testing
