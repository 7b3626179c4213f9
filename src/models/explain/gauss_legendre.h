// Gauss–Legendre quadrature on [0, 1]: n points integrate polynomials up to degree 2n − 1 exactly.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

struct Quadrature {
  std::vector<double> points, weights;
};
Quadrature gauss_legendre(std::size_t n);

}  // namespace podium
