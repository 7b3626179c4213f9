#include "clicks/position_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kZ = 1.959963984540054;
constexpr double kSmallestPivot = 1e-9;

// Union-find.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

Connectivity connectivity(const ClickLog& log) {
  Groups groups(log.positions);
  std::vector<char> shown(log.positions);
  Connectivity result;
  result.linked.assign(log.positions > 0 ? log.positions - 1 : 0, 0);
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const auto cells = log.cells_of(d);
    double clicks = 0;
    for (const ClickCell& cell : cells) {
      shown[cell.position - 1] = 1;
      clicks += cell.clicked;
    }
    if (clicks == 0) continue;
    for (std::size_t c = 1; c < cells.size(); ++c) {
      groups.join(cells[0].position - 1, cells[c].position - 1);
      if (cells[c].position == cells[c - 1].position + 1)
        result.linked[cells[c - 1].position - 1] += 1;
    }
  }
  result.component.assign(log.positions, Connectivity::kNever);
  std::vector<std::uint32_t> number(log.positions, Connectivity::kNever);
  for (std::uint32_t p = 0; p < log.positions; ++p) {
    if (!shown[p]) continue;
    std::uint32_t& own = number[groups.find(p)];
    if (own == Connectivity::kNever) own = static_cast<std::uint32_t>(result.components++);
    result.component[p] = own;
  }
  return result;
}

// Gauss–Jordan without exchanges, which a positive definite matrix does not need.
LaplacianSolution solve_laplacian(std::vector<double> matrix, std::vector<double> right,
                                  std::span<const char> fixed) {
  const std::size_t n = right.size();
  std::vector<double> inverse(n * n, 0.0);
  std::vector<char> done(n, 0);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    inverse[i * n + i] = 1;
    largest = std::max(largest, matrix[i * n + i]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (fixed[k] || matrix[k * n + k] <= kSmallestPivot * largest) continue;
    done[k] = 1;
    const double pivot = matrix[k * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      matrix[k * n + j] /= pivot;
      inverse[k * n + j] /= pivot;
    }
    right[k] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = matrix[i * n + k];
      if (i == k || factor == 0 || fixed[i]) continue;
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i * n + j] -= factor * matrix[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
      right[i] -= factor * right[k];
    }
  }
  LaplacianSolution solution{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    if (fixed[i]) continue;
    solution.x[i] = done[i] ? right[i] : 0;
    solution.variance[i] =
        done[i] ? inverse[i * n + i] : std::numeric_limits<double>::infinity();
  }
  return solution;
}

std::vector<ProbabilityInterval> theta_intervals(const ClickLog& log, std::span<const double> theta,
                                                 std::span<const double> gamma,
                                                 std::span<const char> fixed) {
  const std::size_t n = theta.size();
  std::vector<double> laplacian(n * n, 0.0), information;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const auto cells = log.cells_of(d);
    information.clear();
    double total = 0;
    for (const ClickCell& cell : cells) {
      const double p = std::min(theta[cell.position - 1] * gamma[d], 1 - 1e-3);
      information.push_back(cell.shown * p / (1 - p));
      total += information.back();
    }
    if (!(total > 0)) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t at = (cells[i].position - 1) * n;
      laplacian[at + cells[i].position - 1] += information[i];
      for (std::size_t j = 0; j < cells.size(); ++j)
        laplacian[at + cells[j].position - 1] -= information[i] * information[j] / total;
    }
  }
  const LaplacianSolution solution =
      solve_laplacian(std::move(laplacian), std::vector<double>(n, 0.0), fixed);
  std::vector<ProbabilityInterval> intervals;
  for (std::size_t p = 0; p < n; ++p) {
    const double spread = kZ * std::sqrt(solution.variance[p]);
    intervals.push_back({theta[p] * math::exp(-spread), theta[p] * math::exp(spread)});
  }
  return intervals;
}

}  // namespace podium
