// A generic reference for small quadratic programmes: the point nearest to the origin under linear
// inequalities, min ‖x‖ subject to Gx ≥ h, by non-negative least squares [Lawson74, chapter 23].
// Dense and slow, exact up to rounding; independent of chains and intervals.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace podium::testing {

// min ‖Au − b‖ over u ≥ 0: Lawson and Hanson's active set.
inline Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& a,
                                                 const Eigen::VectorXd& b) {
  const Eigen::Index n = a.cols();
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> free;
  const auto fit = [&] {
    Eigen::MatrixXd part(a.rows(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k)
      part.col(static_cast<Eigen::Index>(k)) = a.col(free[k]);
    return Eigen::VectorXd(part.colPivHouseholderQr().solve(b));
  };
  for (int round = 0; round < 1000; ++round) {
    Eigen::VectorXd gain = a.transpose() * (b - a * u);
    for (const Eigen::Index i : free) gain[i] = 0;
    Eigen::Index best = 0;
    if (gain.size() == 0 || !(gain.maxCoeff(&best) > 1e-13)) break;
    free.push_back(best);
    for (;;) {
      const Eigen::VectorXd z = fit();
      double step = 1;
      std::size_t leaving = free.size();
      for (std::size_t k = 0; k < free.size(); ++k) {
        const double to = z[static_cast<Eigen::Index>(k)], from = u[free[k]];
        if (to > 0 || !(from / (from - to) < step || leaving == free.size())) continue;
        step = from - to > 0 ? from / (from - to) : 0;
        leaving = k;
      }
      for (std::size_t k = 0; k < free.size(); ++k)
        u[free[k]] += step * (z[static_cast<Eigen::Index>(k)] - u[free[k]]);
      if (leaving == free.size()) break;
      u[free[leaving]] = 0;
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(leaving));
    }
  }
  return u;
}

inline Eigen::VectorXd least_distance(const Eigen::MatrixXd& g, const Eigen::VectorXd& h) {
  if (g.rows() == 0) return Eigen::VectorXd::Zero(g.cols());
  Eigen::MatrixXd a(g.cols() + 1, g.rows());
  a << g.transpose(), h.transpose();
  Eigen::VectorXd b = Eigen::VectorXd::Zero(g.cols() + 1);
  b[g.cols()] = 1;
  const Eigen::VectorXd r = a * nonnegative_least_squares(a, b) - b;
  return r.head(g.cols()) / -r[g.cols()];
}

}  // namespace podium::testing
