#include "solvers/ridge.h"

#include <Eigen/Dense>

namespace podium {

struct RidgePath::Decomposition {
  Eigen::MatrixXd vectors;
  Eigen::VectorXd values;
  Eigen::VectorXd projected;  // vectorsᵀ b
};

RidgePath::RidgePath(std::span<const double> matrix, std::span<const double> b) {
  const auto n = static_cast<Eigen::Index>(b.size());
  auto parts = std::make_unique<Decomposition>();
  if (n > 0) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        Eigen::Map<const Eigen::MatrixXd>(matrix.data(), n, n));
    parts->vectors = eigen.eigenvectors();
    parts->values = eigen.eigenvalues().cwiseMax(0.0);
    parts->projected = parts->vectors.transpose() * Eigen::Map<const Eigen::VectorXd>(b.data(), n);
  }
  decomposition_ = std::move(parts);
}

RidgePath::~RidgePath() = default;

std::vector<double> RidgePath::solve(double lambda) const {
  const Decomposition& d = *decomposition_;
  if (d.values.size() == 0) return {};
  Eigen::VectorXd scaled = d.projected;
  const double floor = 1e-12 * std::max(1.0, d.values.maxCoeff());
  for (Eigen::Index i = 0; i < scaled.size(); ++i) {
    const double pivot = d.values[i] + lambda;
    scaled[i] = pivot > floor ? scaled[i] / pivot : 0.0;
  }
  const Eigen::VectorXd x = d.vectors * scaled;
  return {x.begin(), x.end()};
}

}  // namespace podium
