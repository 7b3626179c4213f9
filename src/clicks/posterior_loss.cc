#include "clicks/posterior_loss.h"

#include <algorithm>

#include "core/math_functions.h"

namespace podium {
namespace {

class BoundPosterior final : public BoundLoss {
 public:
  BoundPosterior(const Dataset& data, const DocumentNumbers& numbers, const SoftLabels& labels)
      : data_(data) {
    for (std::size_t q = 0; q < data.queries(); ++q)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
        const std::uint32_t number = numbers.of(data, q, d);
        relevance_.push_back(labels.relevance[number]);
        count_.push_back(labels.count[number]);
      }
  }

  bool informative(std::size_t q) const override {
    return std::any_of(count_.begin() + static_cast<std::ptrdiff_t>(data_.begin(q)),
                       count_.begin() + static_cast<std::ptrdiff_t>(data_.end(q)),
                       [](double n) { return n > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    double value = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::size_t d = data_.begin(q) + i;
      const double s = scores[i], e = math::exp(-std::abs(s));
      const double p = s >= 0 ? 1 / (1 + e) : e / (1 + e);
      value += count_[d] * (math::log1p(e) + std::max(s, 0.0) - relevance_[d] * s);
      out.first[i] = count_[d] * (p - relevance_[d]);
      if (!out.second.empty()) out.second[i] = count_[d] * p * (1 - p);
    }
    return value;
  }

 private:
  const Dataset& data_;
  std::vector<double> relevance_, count_;
};

class PosteriorLoss final : public Loss {
 public:
  PosteriorLoss(std::shared_ptr<const DocumentNumbers> numbers,
                std::shared_ptr<const SoftLabels> labels)
      : numbers_(std::move(numbers)), labels_(std::move(labels)) {}

  std::string name() const override { return "posterior-logistic"; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::sensitive};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundPosterior>(data, *numbers_, *labels_);
  }

 private:
  std::shared_ptr<const DocumentNumbers> numbers_;
  std::shared_ptr<const SoftLabels> labels_;
};

}  // namespace

SharedLoss posterior_loss(std::shared_ptr<const DocumentNumbers> numbers,
                          std::shared_ptr<const SoftLabels> labels) {
  return std::make_unique<PosteriorLoss>(std::move(numbers), std::move(labels));
}

}  // namespace podium
