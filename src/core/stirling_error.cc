// The asymptotic series for z ≥ 16; below, δ(z) = δ(z + 1) + (z + ½) ln(1 + 1/z) − 1.
#include "core/math_functions.h"

namespace podium::math {

double stirling_error(double z) {
  double shifted = 0;
  for (; z < 16; z += 1) shifted += (z + 0.5) * log1p(1 / z) - 1;
  constexpr double kSeries[] = {-691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                                1.0 / 1260,      -1.0 / 360, 1.0 / 12};
  double series = 0;
  for (const double coefficient : kSeries) series = series / (z * z) + coefficient;
  return shifted + series / z;
}

}  // namespace podium::math
