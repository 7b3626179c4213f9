// Squared error, the pointwise baseline: L = ½ v_q Σ_i w_i (s_i − y_i)² with the label y_i as
// target, document weights w and query weight v (1 where none were given).
#include "losses/catalog.h"

namespace podium {
namespace {

class BoundSquared final : public BoundLoss {
 public:
  explicit BoundSquared(const Dataset& data) : data_(data) {}

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    const double query_weight = data_.query_weight(q);
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double w = query_weight * (weights.empty() ? 1.0 : weights[i]);
      const double error = scores[i] - labels[i];
      value += 0.5 * w * error * error;
      out.first[i] = w * error;
      if (!out.second.empty()) out.second[i] = w;
    }
    return value;
  }

 private:
  const Dataset& data_;
};

class Squared final : public Loss {
 public:
  std::string name() const override { return "squared"; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::quadratic, LossTraits::Weights::smooth,
            LossTraits::Shift::sensitive};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data) const override {
    return std::make_unique<BoundSquared>(data);
  }
};

}  // namespace

const Entry<Loss> kSquaredLoss = {
    "squared", "squared error of score and label (pointwise regression)", "", no_options,
    [](const Settings&) -> std::unique_ptr<const Loss> { return std::make_unique<Squared>(); }};

}  // namespace podium
