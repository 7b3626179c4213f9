// A round of line searches over a linear model's features: scores, and the line of each feature.
#pragma once

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "podium/dataset.h"
#include "podium/thread_pool.h"

namespace podium {

// From random weights; features are scaled to at most 1.
struct Climb {
  explicit Climb(const Dataset& data)
      : documents(data.documents()),
        features(data.features()),
        columns(documents * features),
        scores(documents),
        base(documents),
        direction(documents) {
    for (std::size_t i = 0; i < documents; ++i) {
      const auto row = data.rows(i, i + 1).dense(0);
      for (std::size_t f = 0; f < features; ++f) columns[f * documents + i] = row[f];
    }
    Random random(1);
    for (std::size_t f = 0; f < features; ++f) {
      weights.push_back(random.uniform() - 0.3);
      float* const column = columns.data() + f * documents;
      const double largest = *std::max_element(column, column + documents);
      for (std::size_t i = 0; i < documents; ++i)
        column[i] /= static_cast<float>(std::max(largest, 1.0));
      for (std::size_t i = 0; i < documents; ++i)
        scores[i] += weights[f] * static_cast<double>(column[i]);
    }
  }

  void aim_at(std::size_t f, ThreadPool& pool) {
    const float* column = columns.data() + f * documents;
    parallel_for(pool, documents, 16384, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        direction[i] = column[i];
        base[i] = scores[i] - weights[f] * direction[i];
      }
    });
  }
  void step_to(std::size_t f, double weight, ThreadPool& pool) {
    weights[f] = weight;
    parallel_for(pool, documents, 16384, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) scores[i] = base[i] + weight * direction[i];
    });
  }

  std::size_t documents, features;
  std::vector<float> columns;
  std::vector<double> scores, base, direction, weights;
};

}  // namespace podium
