// exp, log and related functions that return the same bits everywhere. Those of the C library
// differ in the last bit from version to version, and so would every model trained with them; these
// use additions, multiplications, divisions, square roots and tables, rounded as IEEE 754
// specifies. src/ uses no others.
//
// The error is below one unit in the last place (tests/core/math_functions_test.cc; 0.51 to 0.78
// observed), also for subnormal numbers. Infinities, NaN and arguments out of range give the
// results that <cmath> specifies. Results that are representable are exact: whole powers of two,
// their logarithms, cos(kπ/2). errno is never set.
#pragma once

namespace podium::math {

double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log1p(double x);
double log2(double x);
double pow(double x, double y);  // x ≥ 0; NaN otherwise
double tanh(double x);
double erfc(double x);
double cos_pi(double x);  // cos(πx)
double hypot(double x, double y);

// The error of Stirling's formula (z − ½) ln z − z + ½ ln 2π for ln Γ(z); z > 0. Accurate to a few
// units of 10⁻¹⁶.
double stirling_error(double z);

}  // namespace podium::math
