// Multi-layer perceptrons: z⁰ = the standardised inputs, zˡ = φ(Wˡ zˡ⁻¹ + bˡ) with φ tanh or ReLU,
// and the score is the single output of the last layer, without φ. Hidden layers compute in single
// precision, the last one in double. A missing input counts as its mean.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

// A score depends only on its document: not on threads or on other documents.
std::vector<double> score(const Mlp& model, const Dataset& data, ThreadPool& pool);

// Means and deviations of the training data's features over all ranks, missing values left out; a
// constant feature has deviation 0.
struct Standardization {
  std::vector<float> mean, deviation;
};
Standardization fit_standardization(const Dataset& data, Context& context);

}  // namespace podium
