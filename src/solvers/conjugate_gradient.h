// Conjugate gradients for A x = b with a symmetric positive definite A known only through products.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace podium {

using Product = std::function<std::vector<double>(std::span<const double>)>;

struct LinearSolution {
  std::vector<double> x;
  int iterations = 0;
  double residual = 0;  // ‖b − A x‖ / ‖b‖
};

// From `start` (or 0 when empty), until the relative residual is below tolerance.
LinearSolution conjugate_gradient(const Product& multiply, std::span<const double> b,
                                  std::vector<double> start, double tolerance, int max_iterations);

}  // namespace podium
