// Trains a learner by name on data in memory, for the tests of direct search.
#pragma once

#include <memory>
#include <string>

#include "podium/evaluator.h"
#include "podium/learner.h"
#include "podium/model.h"
#include "support/toy_data.h"

namespace podium::testing {

inline const Convention& podium_convention() {
  return find_convention("podium");
}

inline TrainingResult train(const std::string& learner, const Dataset& data,
                            const Assignments& options = {}, const std::string& measure = "nDCG@5",
                            const Dataset* valid = nullptr, int threads = 2) {
  Bench bench(threads);
  const auto made = learners().make(learner, options);
  const TrainingProblem problem{data, valid, parse_measure(measure, podium_convention()),
                                podium_convention()};
  return made->train(problem, bench.context);
}

inline double value_of(const Model& model, const Dataset& data,
                       const std::string& measure = "nDCG@5") {
  Bench bench;
  return evaluate(parse_measure(measure, podium_convention()), podium_convention(), data,
                  score(model, data, bench.context), bench.context);
}

// Labels unrelated to the features.
inline Dataset random_data(std::size_t queries, std::size_t documents, std::size_t features,
                           std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < queries * documents; ++i) {
    labels.push_back(static_cast<float>(random.below(3)));
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(random.uniform()));
  }
  return make_dataset(std::vector<std::size_t>(queries, documents), features, std::move(values),
                      std::move(labels));
}

}  // namespace podium::testing
