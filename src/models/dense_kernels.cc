#include "models/dense_kernels.h"

#if defined(__x86_64__)
#define PODIUM_TARGET(features) [[gnu::target(features)]]
#endif

namespace podium {
namespace {

constexpr std::size_t kLanes = 16;

[[gnu::always_inline]] inline double dot_body(const float* x, const double* w, std::size_t n) {
  double sums[kLanes] = {};
  std::size_t f = 0;
  for (; f + kLanes <= n; f += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += w[f + lane] * static_cast<double>(x[f + lane]);
  for (std::size_t lane = 0; f < n; ++f, ++lane) sums[lane] += w[f] * static_cast<double>(x[f]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

// Four rows at a time, so that the sums are loaded and stored a quarter as often.
[[gnu::always_inline]] inline void add_body(const float* x, std::size_t rows, const double* c,
                                            double* __restrict sums, std::size_t n) {
  std::size_t r = 0;
  for (; r + 4 <= rows; r += 4, x += 4 * n) {
    const float *x0 = x, *x1 = x + n, *x2 = x + 2 * n, *x3 = x + 3 * n;
    const double c0 = c[r], c1 = c[r + 1], c2 = c[r + 2], c3 = c[r + 3];
    for (std::size_t f = 0; f < n; ++f) {
      double s = sums[f];
      s += c0 * static_cast<double>(x0[f]);
      s += c1 * static_cast<double>(x1[f]);
      s += c2 * static_cast<double>(x2[f]);
      s += c3 * static_cast<double>(x3[f]);
      sums[f] = s;
    }
  }
  for (; r < rows; ++r, x += n)
    for (std::size_t f = 0; f < n; ++f) sums[f] += c[r] * static_cast<double>(x[f]);
}

struct Kernels {
  double (*dot)(const float*, const double*, std::size_t);
  void (*add)(const float*, std::size_t, const double*, double*, std::size_t);
  std::string_view target;
};

double dot_baseline(const float* x, const double* w, std::size_t n) {
  return dot_body(x, w, n);
}
void add_baseline(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  add_body(x, rows, c, sums, n);
}

#if defined(__x86_64__)
PODIUM_TARGET("avx2") double dot_avx2(const float* x, const double* w, std::size_t n) {
  return dot_body(x, w, n);
}
PODIUM_TARGET("avx2")
void add_avx2(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  add_body(x, rows, c, sums, n);
}
PODIUM_TARGET("avx512f,prefer-vector-width=512")
double dot_avx512(const float* x, const double* w, std::size_t n) {
  return dot_body(x, w, n);
}
PODIUM_TARGET("avx512f,prefer-vector-width=512")
void add_avx512(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  add_body(x, rows, c, sums, n);
}
#endif

Kernels choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {dot_avx512, add_avx512, "AVX-512"};
  if (__builtin_cpu_supports("avx2")) return {dot_avx2, add_avx2, "AVX2"};
#endif
  return {dot_baseline, add_baseline, "baseline"};
}

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace

double dense_dot(const float* x, const double* w, std::size_t n) {
  return kernels().dot(x, w, n);
}
void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  kernels().add(x, rows, c, sums, n);
}
std::string_view dense_kernel_target() {
  return kernels().target;
}

}  // namespace podium
