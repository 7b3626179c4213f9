// McRank's classification [Li07]: one output f_ik per document and grade, p_i = softmax(f_i), and
//
//   L = −v_q Σ_i w_i log p_i[g(i)],   ∂L/∂f_ik = v w_i (p_ik − [k = g(i)]).
//
// The second derivatives are replaced by K/(K − 1) w p (1 − p), the diagonal scaled by the factor
// with which [Friedman00] shortens the step because the K outputs move at once. Users rank by the
// expected grade, Σ_k grade_k p_ik. With a single grade in the data there is one output and nothing
// to learn.
#include <algorithm>

#include "core/math_functions.h"
#include "losses/catalog.h"
#include "losses/device/device_smooth.h"
#include "losses/listwise/log_sum.h"
#include "losses/pointwise/grade_classes.h"

namespace podium {
namespace {

class BoundMultinomial final : public BoundLoss {
 public:
  BoundMultinomial(const Dataset& data, std::vector<double> grades)
      : data_(data), grades_(std::move(grades)) {}

  Link link() const override { return {Link::Kind::softmax, grades_}; }
  bool informative(std::size_t) const override { return grades_.size() > 1; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const std::size_t classes = grades_.size();
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    const double rescale =
        classes > 1 ? static_cast<double>(classes) / static_cast<double>(classes - 1) : 1;
    double value = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const double w = data_.query_weight(q) * (weights.empty() ? 1.0 : weights[i]);
      const auto outputs = scores.subspan(i * classes, classes);
      const std::size_t target = class_of(labels[i], grades_);
      LogSum total;
      for (const double f : outputs) total.add(f);
      const double log_total = total.log();
      value += w * (log_total - outputs[target]);
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = math::exp(outputs[k] - log_total);
        out.first[i * classes + k] = w * (p - (k == target ? 1.0 : 0.0));
        if (!out.second.empty())
          out.second[i * classes + k] = w * rescale * std::max(kLeastCurvature, p * (1 - p));
      }
    }
    return value;
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    if (grades_.size() < 2) return nullptr;
    return device_grade_class_loss(GradeClassLoss::multinomial, data_, grades_, kLeastCurvature,
                                   site);
  }

 private:
  const Dataset& data_;
  std::vector<double> grades_;
};

class Multinomial final : public Loss {
 public:
  std::string name() const override { return "multinomial"; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundMultinomial>(data, grade_classes(data, comm, name()));
  }
};

}  // namespace

const Entry<Loss> kMultinomial = {
    "multinomial", "log loss of the grade, one output per grade (McRank)", "Li07", no_options,
    [](const Settings&) -> std::unique_ptr<const Loss> { return std::make_unique<Multinomial>(); }};

}  // namespace podium
