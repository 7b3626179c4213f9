// Tails and quantiles of Student's t and the normal distribution.
#pragma once

namespace podium {

// P(|T| ≥ |t|) with `degrees` of freedom; relative error below 1e-12.
double student_t_two_sided(double t, double degrees);
// The t with P(|T| ≥ t) = p; 0 < p < 1.
double student_t_critical(double p, double degrees);

double normal_cdf(double z);
// P(|Z| ≥ |z|).
double normal_two_sided(double z);
// The z with Φ(z) = p; 0 < p < 1.
double normal_quantile(double p);

}  // namespace podium
