// Integrated gradients of perceptrons [Sundararajan17]: with z the standardised inputs of the
// document and s the score, contribution i is z_i ∫₀¹ ∂s/∂z_i (t z) dt, starting from the mean
// document (z = 0). In double precision. Along the path, a network of positive parts (ReLU) is
// linear between the points where a unit switches: the integral is a finite sum. With tanh the
// integrand is smooth, and Gauss–Legendre panels are halved until the contributions add up.
#pragma once

#include <span>
#include <vector>

#include "podium/model.h"

namespace podium {

struct PathIntegral {
  double start = 0, end = 0;  // the score at z = 0, and at the document
  std::vector<double> contributions;
};
PathIntegral integrate_gradients(const Mlp& mlp, const float* features);

}  // namespace podium
