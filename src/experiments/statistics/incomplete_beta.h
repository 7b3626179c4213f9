// The regularised incomplete beta function I_x(a, b). Relative error below 1e-12 for a, b up to
// 10⁶.
#pragma once

namespace podium {

// y = 1 − x is also given: near x = 1 it has the digits that x has lost. a, b > 0.
double regularised_incomplete_beta(double a, double b, double x, double y);

}  // namespace podium
