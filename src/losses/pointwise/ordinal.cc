// McRank's ordinal variant [Li07]: one output f_ik per document and threshold between grades, each
// a binary log loss of "the grade is above grade_k", p = 1 / (1 + exp(−f)):
//
//   L = −v_q Σ_i w_i Σ_k log (g(i) > grade_k ? p_ik : 1 − p_ik),   k = 0 … K − 2
//
// with derivatives w (p − [g(i) > grade_k]) and w p (1 − p). Users rank by the expected grade,
// grade_0 + Σ_k (grade_{k+1} − grade_k) p_ik. With a single grade in the data there is one output,
// nothing to learn, and that grade is every score.
#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "losses/catalog.h"
#include "losses/device/device_smooth.h"
#include "losses/pointwise/grade_classes.h"

namespace podium {
namespace {

class BoundOrdinal final : public BoundLoss {
 public:
  BoundOrdinal(const Dataset& data, std::vector<double> grades)
      : data_(data), grades_(std::move(grades)) {}

  Link link() const override {
    return {grades_.size() > 1 ? Link::Kind::cumulative : Link::Kind::softmax, grades_};
  }
  bool informative(std::size_t) const override { return grades_.size() > 1; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), kLeastCurvature);
    const std::size_t thresholds = grades_.size() - 1;
    double value = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const double w = data_.query_weight(q) * (weights.empty() ? 1.0 : weights[i]);
      for (std::size_t k = 0; k < thresholds; ++k) {
        const double f = scores[i * thresholds + k], side = labels[i] > grades_[k] ? 1 : -1;
        const double small = math::exp(-std::abs(f));  // never overflows
        value += w * (std::max(0.0, -side * f) + math::log1p(small));
        const double wrong = (side * f > 0 ? small : 1) / (1 + small);  // 1 − p of the true side
        out.first[i * thresholds + k] = -side * w * wrong;
        if (!out.second.empty())
          out.second[i * thresholds + k] =
              w * std::max(kLeastCurvature, small / ((1 + small) * (1 + small)));
      }
    }
    return value;
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    if (grades_.size() < 2) return nullptr;
    return device_grade_class_loss(GradeClassLoss::ordinal, data_, grades_, kLeastCurvature, site);
  }

 private:
  const Dataset& data_;
  std::vector<double> grades_;
};

class Ordinal final : public Loss {
 public:
  std::string name() const override { return "ordinal"; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::sensitive};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundOrdinal>(data, grade_classes(data, comm, name()));
  }
};

}  // namespace

const Entry<Loss> kOrdinal = {
    "ordinal", "log losses of the grade being above each threshold (McRank)", "Li07", no_options,
    [](const Settings&) -> std::unique_ptr<const Loss> { return std::make_unique<Ordinal>(); }};

}  // namespace podium
