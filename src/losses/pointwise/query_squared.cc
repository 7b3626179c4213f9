// Squared error after the best shift of the query's scores, [Moon10] eq. 3:
//
//   L = ½ v_q min_b Σ_i w_i (s_i − y_i − b)²,   b the weighted mean of s − y.
//
// Only differences within a query count. The Hessian is diag(w) − wwᵀ/Σw; the w_i are used as
// second derivatives: they bound it and are exact if the query's shift is free.
#include "losses/pointwise/query_squared.h"

#include "losses/catalog.h"
#include "losses/device/device_smooth.h"
#include "losses/targets.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<QuerySquaredOptions>& query_squared_table() {
  static const auto options = OptionTable<QuerySquaredOptions>().add(
      "targets", &QuerySquaredOptions::targets, kTargetsHelp);
  return options;
}

class BoundQuerySquared final : public BoundLoss {
 public:
  BoundQuerySquared(const Dataset& data, Targets targets)
      : data_(data), targets_(std::move(targets)) {}

  bool informative(std::size_t q) const override { return data_.labels(q).size() > 1; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    const double query_weight = data_.query_weight(q);
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : double{weights[i]}; };
    double shift = 0, total = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      out.first[i] = scores[i] - targets_(labels[i]);
      shift += weight(i) * out.first[i];
      total += weight(i);
    }
    if (total > 0) shift /= total;
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double error = out.first[i] - shift, w = query_weight * weight(i);
      value += 0.5 * w * error * error;
      out.first[i] = w * error;
      if (!out.second.empty()) out.second[i] = w;
    }
    return value;
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    return device_smooth_loss(SmoothLoss::query_squared, data_, targets_.of(data_.labels()), site);
  }

 private:
  const Dataset& data_;
  Targets targets_;
};

class QuerySquared final : public Loss {
 public:
  QuerySquared(std::string name, const QuerySquaredOptions& options)
      : name_(std::move(name)), targets_(options.targets) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::quadratic, LossTraits::Weights::smooth,
            LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return targets_.label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundQuerySquared>(data, targets_);
  }

 private:
  std::string name_;
  Targets targets_;
};

}  // namespace

std::unique_ptr<const Loss> query_squared_loss(const QuerySquaredOptions& options) {
  return make_typed<QuerySquared>("query-squared", query_squared_table(), options);
}

const Entry<Loss> kQuerySquared = {
    "query-squared", "squared error of score and grade after the best shift of each query",
    "Moon10", []() -> const std::vector<Field>& { return query_squared_table().fields(); },
    [](const Settings& settings) {
      return query_squared_loss(query_squared_table().read(settings));
    }};

}  // namespace podium
