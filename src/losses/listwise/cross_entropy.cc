#include "losses/listwise/cross_entropy.h"

#include <algorithm>

#include "core/math_functions.h"
#include "losses/device/device_smooth.h"
#include "losses/listwise/log_sum.h"

namespace podium {
namespace {

class BoundCrossEntropy final : public BoundLoss {
 public:
  BoundCrossEntropy(const Dataset& data, std::vector<double> target)
      : data_(data), target_(std::move(target)) {}

  bool informative(std::size_t q) const override {
    const auto own = target(q);
    return own.size() > 1 && std::any_of(own.begin(), own.end(), [](double p) { return p > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto weights = data_.document_weights(q);
    const auto wanted = target(q);
    LogSum all;
    for (const double s : scores) all.add(s);
    const double log_total = all.log(), query_weight = data_.query_weight(q);
    double value = 0, total = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double mass = query_weight * (weights.empty() ? 1.0 : weights[i]) * wanted[i];
      total += mass;
      // Avoids 0 · ∞.
      if (mass > 0) value += mass * (log_total - scores[i]);
      out.first[i] = -mass;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double p = math::exp(scores[i] - log_total);
      out.first[i] += total * p;
      if (!out.second.empty()) out.second[i] = total * p * (1 - p);
    }
    return value;
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    return device_smooth_loss(SmoothLoss::cross_entropy, data_, target_, site);
  }

 private:
  std::span<const double> target(std::size_t q) const {
    return std::span(target_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  const Dataset& data_;
  std::vector<double> target_;
};

}  // namespace

std::unique_ptr<const BoundLoss> bind_cross_entropy(const Dataset& data,
                                                    std::vector<double> target) {
  return std::make_unique<BoundCrossEntropy>(data, std::move(target));
}

}  // namespace podium
