#include "solvers/adam.h"

#include <cmath>
#include <numeric>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kFloor = 1e-8;
constexpr double kMomentum = 0.9;
constexpr std::size_t kVariablesPerTask = 2048;

}  // namespace

void Adam::step(std::span<double> x, std::span<const double> gradient, double rate,
                ThreadPool& pool) {
  mean_decay_ *= kMeanDecay;
  square_decay_ *= kSquareDecay;
  const double mean_unbias = 1 / (1 - mean_decay_), square_unbias = 1 / (1 - square_decay_);
  parallel_for(pool, x.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double g = gradient[i];
      mean_[i] = kMeanDecay * mean_[i] + (1 - kMeanDecay) * g;
      square_[i] = kSquareDecay * square_[i] + (1 - kSquareDecay) * g * g;
      x[i] -= rate * (mean_[i] * mean_unbias) / (std::sqrt(square_[i] * square_unbias) + kFloor);
    }
  });
}

void Momentum::step(std::span<double> x, std::span<const double> gradient, double rate,
                    ThreadPool& pool) {
  parallel_for(pool, x.size(), kVariablesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      velocity_[i] = kMomentum * velocity_[i] + gradient[i];
      x[i] -= rate * velocity_[i];
    }
  });
}

double schedule_share(Schedule schedule, double progress) {
  switch (schedule) {
    case Schedule::constant:
      return 1;
    case Schedule::cosine:
      return 0.5 * (1 + math::cos_pi(progress));
    case Schedule::step:
      return progress < 0.5 ? 1 : progress < 0.75 ? 0.1 : 0.01;
    case Schedule::inverse:
      return 1 / (1 + 9 * progress);
  }
  return 1;
}

double clip_norm(std::span<double> gradient, double largest) {
  const double norm =
      std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
  if (largest > 0 && norm > largest)
    for (double& g : gradient) g *= largest / norm;
  return norm;
}

}  // namespace podium
