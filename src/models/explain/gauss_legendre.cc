#include "models/explain/gauss_legendre.h"

#include <cmath>

#include "core/math_functions.h"

namespace podium {

// Newton's method on the Legendre polynomial P_n, from Tricomi's approximation of its roots.
Quadrature gauss_legendre(std::size_t n) {
  Quadrature out{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t k = 0; k < n; ++k) {
    const auto size = static_cast<double>(n);
    double x = math::cos_pi((static_cast<double>(k) + 0.75) / (size + 0.5));
    double slope = 0;
    for (int step = 0; step < 100; ++step) {
      double before = 1, value = x;  // P_0, P_1
      for (std::size_t m = 2; m <= n; ++m) {
        const auto degree = static_cast<double>(m);
        const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
        before = value;
        value = next;
      }
      if (n == 1) before = 1;
      slope = size * (x * value - before) / (x * x - 1);
      const double move = value / slope;
      x -= move;
      if (std::abs(move) < 1e-15) break;
    }
    out.points[k] = (1 - x) / 2;
    out.weights[k] = 1 / ((1 - x * x) * slope * slope);
  }
  return out;
}

}  // namespace podium
