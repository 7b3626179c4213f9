// Ridge systems (A + λ I) x = b for many λ: one eigendecomposition of the symmetric positive
// semi-definite A, then each λ costs two products.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace podium {

class RidgePath {
 public:
  // matrix: b.size() × b.size(), symmetric.
  RidgePath(std::span<const double> matrix, std::span<const double> b);
  ~RidgePath();

  // λ ≥ 0; directions in which A + λ I vanishes (up to rounding) get 0.
  std::vector<double> solve(double lambda) const;

 private:
  struct Decomposition;
  std::unique_ptr<const Decomposition> decomposition_;
};

}  // namespace podium
