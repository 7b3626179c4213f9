// Multi-layer perceptrons: z⁰ = the standardised inputs, zˡ = φ(Wˡ zˡ⁻¹ + bˡ) with φ tanh or the
// positive part, and the score is the last layer's one output, without φ. Hidden layers compute in
// single precision, the last one in double. A missing input counts as its mean.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

// Scores depend on the document alone: not on threads, nor on its neighbours.
std::vector<double> score(const Mlp& model, const Dataset& data, ThreadPool& pool);

// Means and deviations of the training data's features over all ranks, missing values left out; a
// constant feature has deviation 0.
struct Standardization {
  std::vector<float> mean, deviation;
};
Standardization fit_standardization(const Dataset& data, Context& context);

}  // namespace podium
