#include "solvers/stieltjes.h"

#include <algorithm>

namespace podium {
namespace {

// Solves H z = −q on the run [begin, end), all of it free and its neighbours 0.
void solve_run(const Tridiagonal& h, std::span<const double> q, std::size_t begin, std::size_t end,
               std::vector<double>& pivot, std::vector<double>& z) {
  pivot[begin] = h.diagonal[begin];
  z[begin] = -q[begin];
  for (std::size_t i = begin + 1; i < end; ++i) {
    const double factor = h.off[i - 1] / pivot[i - 1];
    pivot[i] = h.diagonal[i] - factor * h.off[i - 1];
    z[i] = -q[i] - factor * z[i - 1];
  }
  for (std::size_t i = end; i-- > begin;) {
    if (i + 1 < end) z[i] -= h.off[i] * z[i + 1];
    z[i] = std::max(0.0, z[i] / pivot[i]);
  }
}

}  // namespace

double product(const Tridiagonal& h, std::span<const double> x, std::size_t i) {
  double sum = h.diagonal[i] * x[i];
  if (i > 0) sum += h.off[i - 1] * x[i - 1];
  if (i + 1 < x.size()) sum += h.off[i] * x[i + 1];
  return sum;
}

std::vector<double> solve_complementarity(const Tridiagonal& h, std::span<const double> q) {
  const std::size_t n = q.size();
  std::vector<double> z(n), pivot(n);
  std::vector<char> free(n);
  for (;;) {
    bool freed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (free[i] || !(product(h, z, i) + q[i] < 0)) continue;
      free[i] = 1;
      freed = true;
    }
    if (!freed) return z;
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
      for (end = begin; end < n && free[end];) ++end;
      if (end > begin)
        solve_run(h, q, begin, end, pivot, z);
      else
        ++end;
    }
  }
}

}  // namespace podium
