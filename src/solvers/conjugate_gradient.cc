#include "solvers/conjugate_gradient.h"

#include <cmath>
#include <numeric>

namespace podium {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

LinearSolution conjugate_gradient(const Product& multiply, std::span<const double> b,
                                  std::vector<double> start, double tolerance, int max_iterations) {
  const std::size_t n = b.size();
  LinearSolution solution;
  solution.x = start.empty() ? std::vector<double>(n) : std::move(start);
  const double scale = std::sqrt(inner(b, b));
  if (scale == 0) {
    solution.x.assign(n, 0.0);
    return solution;
  }
  std::vector<double> residual(b.begin(), b.end());
  const std::vector<double> image = multiply(solution.x);
  for (std::size_t i = 0; i < n; ++i) residual[i] -= image[i];
  std::vector<double> direction = residual;
  double size = inner(residual, residual);
  while (std::sqrt(size) > tolerance * scale && solution.iterations < max_iterations) {
    const std::vector<double> product = multiply(direction);
    const double curvature = inner(direction, product);
    if (!(curvature > 0)) break;  // only rounding errors are left
    const double step = size / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      solution.x[i] += step * direction[i];
      residual[i] -= step * product[i];
    }
    const double next = inner(residual, residual);
    for (std::size_t i = 0; i < n; ++i) direction[i] = residual[i] + next / size * direction[i];
    size = next;
    ++solution.iterations;
  }
  solution.residual = std::sqrt(size) / scale;
  return solution;
}

}  // namespace podium
