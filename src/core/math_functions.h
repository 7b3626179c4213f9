// exp, log and their relatives as functions of their arguments' bits alone. Those of the C library
// differ in the last bit from version to version, and with them every model that was trained by
// them; these use additions, multiplications, divisions, square roots and tables, rounded as
// IEEE 754 says, and so give the same bits wherever Podium runs. src/ uses no other.
//
// The error is below one unit in the last place (tests/core/math_functions_test.cc; 0.51 to 0.78
// were seen), also among subnormal numbers. Infinities, NaN and arguments out of range give what
// <cmath> says. What is exact comes out exactly: whole powers of two, their logarithms, cos(kπ/2).
// Nothing touches errno.
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

// What Stirling's formula (z − ½) ln z − z + ½ ln 2π leaves out of ln Γ(z); z > 0. The error is a
// few units of 10⁻¹⁶.
double stirling_error(double z);

}  // namespace podium::math
