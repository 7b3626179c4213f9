#include "models/explain/integrated_gradients.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "models/explain/gauss_legendre.h"

namespace podium {
namespace {

constexpr std::size_t kPoints = 16;       // per panel
constexpr std::size_t kMaxPanels = 1024;  // in [0, 1]
constexpr double kTolerance = 1e-11;      // of the contributions' sum

using Vector = std::vector<double>;

// W z + b; without b for a direction.
Vector affine(const Mlp::Layer& layer, const Vector& z, double bias) {
  Vector out(layer.bias.size());
  for (std::size_t o = 0; o < out.size(); ++o) {
    double sum = bias * layer.bias[o];
    for (std::size_t i = 0; i < z.size(); ++i)
      sum += static_cast<double>(layer.weights[o][i]) * z[i];
    out[o] = sum;
  }
  return out;
}

// ∂s/∂z at the document t z, the score there, and the t at which the next unit switches.
class Gradient {
 public:
  Gradient(const Mlp& mlp, const Vector& z) : mlp_(mlp), z_(z) {}

  // For ReLU, units have the state just after t.
  void evaluate(double t) {
    Vector value(z_.size()), slope = z_;  // of a layer's inputs, and its derivative by t
    std::transform(z_.begin(), z_.end(), value.begin(), [t](double z) { return t * z; });
    rates_.clear();
    next_switch = 1;
    for (std::size_t l = 0; l < mlp_.layers.size(); ++l) {
      value = affine(mlp_.layers[l], value, 1);
      slope = affine(mlp_.layers[l], slope, 0);
      if (l + 1 < mlp_.layers.size()) activate(t, value, slope);
    }
    score = value[0];
    back_propagate();
  }

  double score = 0;
  double next_switch = 1;
  Vector gradient;

 private:
  void activate(double t, Vector& value, Vector& slope) {
    Vector& rate = rates_.emplace_back(value.size());
    for (std::size_t o = 0; o < value.size(); ++o) {
      if (mlp_.activation == Mlp::Activation::tanh) {
        value[o] = math::tanh(value[o]);
        rate[o] = 1 - value[o] * value[o];
      } else {
        const double crossing = slope[o] != 0 ? t - value[o] / slope[o] : t;
        const bool switches_later = crossing > t + kSame;
        if (switches_later) next_switch = std::min(next_switch, crossing);
        // At the crossing itself, the slope determines the side of the unit just after it.
        const bool is_at_crossing = std::abs(crossing - t) <= kSame && slope[o] != 0;
        rate[o] = (is_at_crossing ? slope[o] > 0 : value[o] > 0) ? 1 : 0;
        value[o] *= rate[o];
      }
      slope[o] *= rate[o];
    }
  }

  void back_propagate() {
    const Mlp::Layer& last = mlp_.layers.back();
    gradient.assign(last.weights[0].begin(), last.weights[0].end());
    for (std::size_t l = mlp_.layers.size() - 1; l-- > 0;) {
      const Mlp::Layer& layer = mlp_.layers[l];
      Vector below(layer.weights[0].size());
      for (std::size_t o = 0; o < layer.bias.size(); ++o) {
        const double slope = gradient[o] * rates_[l][o];
        for (std::size_t i = 0; i < below.size(); ++i)
          below[i] += slope * static_cast<double>(layer.weights[o][i]);
      }
      gradient = std::move(below);
    }
  }

  static constexpr double kSame = 1e-13;  // crossings this close are one
  const Mlp& mlp_;
  const Vector& z_;
  std::vector<Vector> rates_;  // φ' of each hidden layer
};

void add(Vector& sums, const Vector& gradient, double weight) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * gradient[i];
}

// Segment by segment between switches: the gradient is constant within each.
Vector mean_of_segments(Gradient& gradient, std::size_t inputs) {
  Vector sums(inputs);
  for (double t = 0; t < 1;) {
    gradient.evaluate(t);
    const double end = gradient.next_switch;
    // In the middle of a segment, no unit is switching.
    gradient.evaluate((t + end) / 2);
    add(sums, gradient.gradient, end - t);
    t = end;
  }
  return sums;
}

Vector mean_of_panels(Gradient& gradient, const Vector& z, double rise) {
  const Quadrature quadrature = gauss_legendre(kPoints);
  Vector sums;
  for (std::size_t panels = 1; panels <= kMaxPanels; panels *= 2) {
    sums.assign(z.size(), 0);
    const auto width = 1 / static_cast<double>(panels);
    for (std::size_t p = 0; p < panels; ++p)
      for (std::size_t k = 0; k < kPoints; ++k) {
        gradient.evaluate((static_cast<double>(p) + quadrature.points[k]) * width);
        add(sums, gradient.gradient, quadrature.weights[k] * width);
      }
    double total = 0, size = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      total += sums[i] * z[i];
      size += std::abs(sums[i] * z[i]);
    }
    if (std::abs(total - rise) <= kTolerance * std::max(size, 1e-300)) break;
  }
  return sums;
}

}  // namespace

PathIntegral integrate_gradients(const Mlp& mlp, const float* features) {
  Vector z(mlp.mean.size());
  for (std::size_t f = 0; f < z.size(); ++f) {
    const bool known = !std::isnan(features[f]) && mlp.scale[f] > 0;
    const float factor = known ? 1 / mlp.scale[f] : 0.0F;
    if (known) z[f] = static_cast<double>((features[f] - mlp.mean[f]) * factor);
  }
  PathIntegral out;
  Gradient gradient(mlp, z);
  gradient.evaluate(0);
  out.start = gradient.score;
  gradient.evaluate(1);
  out.end = gradient.score;
  out.contributions = mlp.activation == Mlp::Activation::tanh
                          ? mean_of_panels(gradient, z, out.end - out.start)
                          : mean_of_segments(gradient, z.size());
  for (std::size_t f = 0; f < z.size(); ++f) out.contributions[f] *= z[f];
  return out;
}

}  // namespace podium
