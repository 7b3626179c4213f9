#include "python_loss.h"

#include <algorithm>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::python {
namespace {

template <class T>
NumpyVector<T> copied(std::span<const T> values) {
  return give(std::vector<T>(values.begin(), values.end()));
}

class BoundPythonLoss final : public BoundLoss {
 public:
  BoundPythonLoss(const Dataset& data, const nb::object& function)
      : data_(data), function_(function) {}

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const double weight = data_.query_weight(q);
    const nb::gil_scoped_acquire gil;
    const auto result = nb::cast<nb::tuple>(function_(copied(scores), copied(data_.labels(q))));
    const auto first = nb::cast<Vector<double>>(result[1]);
    const auto second = nb::cast<Vector<double>>(result[2]);
    const auto scale = [weight](double x) { return weight * x; };
    std::transform(first.data(), first.data() + first.size(), out.first.begin(), scale);
    if (!out.second.empty())
      std::transform(second.data(), second.data() + second.size(), out.second.begin(), scale);
    return weight * nb::cast<double>(result[0]);
  }

 private:
  const Dataset& data_;
  const nb::object& function_;  // owned by the loss, which outlives this object
};

class PythonLoss final : public Loss {
 public:
  PythonLoss(PythonLossFacts facts, nb::object function)
      : facts_(std::move(facts)), function_(std::move(function)) {}

  std::string name() const override { return "python:" + facts_.name; }
  LossTraits traits() const noexcept override {
    return {facts_.convex ? LossTraits::Shape::convex : LossTraits::Shape::not_convex,
            LossTraits::Weights::smooth,
            facts_.shift_invariant ? LossTraits::Shift::invariant : LossTraits::Shift::sensitive};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    if (!data.parts().document_weights.empty())
      throw Error(
          ErrorCode::usage,
          fmt::format("sample_weight: the loss {} is in Python and sees no weights, so they "
                      "must be constant within each query",
                      facts_.name));
    return std::make_unique<BoundPythonLoss>(data, function_);
  }

 private:
  PythonLossFacts facts_;
  nb::object function_;
};

}  // namespace

SharedLoss make_python_loss(PythonLossFacts facts, nb::object function) {
  return std::make_unique<PythonLoss>(std::move(facts), std::move(function));
}

}  // namespace podium::python
