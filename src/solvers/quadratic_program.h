// The small quadratic programme inside a cutting-plane method:
//
//   max_α  bᵀα − ½ αᵀGα   subject to  α ≥ 0, Σ α = total
//
// with G symmetric positive semi-definite. A primal active-set method, exact up to rounding: solve
// with the positive α free, step back to the boundary if one would become negative, add the
// variable with the largest multiplier, until none is left.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

namespace podium {

struct SimplexSolution {
  Eigen::VectorXd alpha;
  double value = 0;     // of a feasible α: a valid lower bound regardless of rounding
  double residual = 0;  // how far the largest multiplier is above that of the free variables
  int steps = 0;
};

// `start`: a feasible or nearly feasible point to begin from; negative or missing parts are 0.
SimplexSolution maximize_on_simplex(const Eigen::MatrixXd& g, const Eigen::VectorXd& b,
                                    double total, const Eigen::VectorXd& start);

}  // namespace podium
