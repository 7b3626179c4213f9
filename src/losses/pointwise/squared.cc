// Squared error, the pointwise baseline: L = ½ v_q Σ_i w_i (s_i − y_i)² with the target y_i of the
// document's grade, document weights w and query weight v (1 by default).
#include "losses/pointwise/squared.h"

#include "losses/catalog.h"
#include "losses/device/device_smooth.h"
#include "losses/targets.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<SquaredOptions>& squared_table() {
  static const auto options =
      OptionTable<SquaredOptions>().add("targets", &SquaredOptions::targets, kTargetsHelp);
  return options;
}

class BoundSquared final : public BoundLoss {
 public:
  BoundSquared(const Dataset& data, Targets targets) : data_(data), targets_(std::move(targets)) {}

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    const double query_weight = data_.query_weight(q);
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double w = query_weight * (weights.empty() ? 1.0 : weights[i]);
      const double error = scores[i] - targets_(labels[i]);
      value += 0.5 * w * error * error;
      out.first[i] = w * error;
      if (!out.second.empty()) out.second[i] = w;
    }
    return value;
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    return device_smooth_loss(SmoothLoss::squared, data_, targets_.of(data_.labels()), site);
  }

 private:
  const Dataset& data_;
  Targets targets_;
};

class Squared final : public Loss {
 public:
  Squared(std::string name, const SquaredOptions& options)
      : name_(std::move(name)), targets_(options.targets) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::quadratic, LossTraits::Weights::smooth,
            LossTraits::Shift::sensitive};
  }
  LabelUse label_use() const override { return targets_.label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundSquared>(data, targets_);
  }

 private:
  std::string name_;
  Targets targets_;
};

}  // namespace

std::unique_ptr<const Loss> squared_loss(const SquaredOptions& options) {
  return make_typed<Squared>("squared", squared_table(), options);
}

const Entry<Loss> kSquaredLoss = {
    "squared", "squared error of score and grade (pointwise regression)", "",
    []() -> const std::vector<Field>& { return squared_table().fields(); },
    [](const Settings& settings) { return squared_loss(squared_table().read(settings)); }};

}  // namespace podium
