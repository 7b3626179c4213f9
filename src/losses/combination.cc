#include "losses/combination.h"

#include <algorithm>

#include <fmt/format.h>

#include "losses/device/device_sum.h"
#include "podium/error.h"

namespace podium {
namespace {

LossTraits weakest(const std::vector<LossTraits>& all, LossTraits::Shape strongest) {
  LossTraits traits{strongest, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  for (const LossTraits& one : all) {
    traits.shape = std::max(traits.shape, one.shape);
    traits.weights = std::max(traits.weights, one.weights);
    traits.shift = std::max(traits.shift, one.shift);
  }
  return traits;
}

// Whatever a part does with labels.
LabelUse any_use(LabelUse use, const LabelUse& part) {
  use.growth = std::max(use.growth, part.growth);
  if (!use.relevant_from) use.relevant_from = part.relevant_from;
  if (!use.top) use.top = part.top;
  use.cuts_fractions |= part.cuts_fractions;
  use.ignores_negative |= part.ignores_negative;
  return use;
}

void require_same_link(const BoundLoss& one, const BoundLoss& other, const std::string& name) {
  if (one.link() == other.link()) return;
  throw Error(
      ErrorCode::usage,
      fmt::format(
          "loss '{}': one part has {} scores per document, another {}, so they cannot be combined",
          name, one.link().outputs(), other.link().outputs()));
}

// A loss owned elsewhere.
class Borrowed final : public BoundLoss {
 public:
  explicit Borrowed(const BoundLoss& loss) : loss_(loss) {}
  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    return loss_.evaluate(q, scores, out);
  }
  bool informative(std::size_t q) const override { return loss_.informative(q); }
  Link link() const override { return loss_.link(); }

 private:
  const BoundLoss& loss_;
};

class BoundSum final : public BoundLoss {
 public:
  struct Part {
    double weight;
    std::unique_ptr<const BoundLoss> loss;
    LossTraits::Shape shape;
  };
  BoundSum(std::vector<Part> parts, LossTraits::Weights weights)
      : parts_(std::move(parts)), weights_(weights) {}

  bool informative(std::size_t q) const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.loss->informative(q); });
  }
  Link link() const override { return parts_[0].loss->link(); }
  // The sum of the parts' bounds; a convex part is its own bound.
  std::unique_ptr<const BoundLoss> convex_bound(std::span<const double> scores) const override {
    std::vector<Part> bounds;
    for (const Part& part : parts_) {
      auto bound = part.shape == LossTraits::Shape::not_convex
                       ? part.loss->convex_bound(scores)
                       : std::make_unique<const Borrowed>(*part.loss);
      if (!bound) return nullptr;
      bounds.push_back({part.weight, std::move(bound), LossTraits::Shape::convex});
    }
    return std::make_unique<BoundSum>(std::move(bounds), LossTraits::Weights::smooth);
  }
  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    double value = 0;
    add_up(out, [&](double weight, const BoundLoss& part, Derivatives its) {
      value += weight * part.evaluate(q, scores, its);
    });
    return value;
  }
  void differentiate(std::size_t q, std::span<const double> scores,
                     Derivatives out) const override {
    add_up(out, [&](double, const BoundLoss& part, Derivatives its) {
      part.differentiate(q, scores, its);
    });
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    std::vector<DeviceSumPart> parts;
    const DeviceLossSite once{
        .queue = site.queue, .query_begin = site.query_begin, .row_order = site.row_order};
    for (const Part& part : parts_) {
      auto loss = part.loss->on_device(once);
      if (!loss) return nullptr;
      parts.push_back({part.weight, std::move(loss)});
    }
    return device_sum(std::move(parts), link().outputs(), weights_, site);
  }

 private:
  // The weighted sum of the derivatives that `fill` writes for each part.
  template <class Fill>
  void add_up(Derivatives out, const Fill& fill) const {
    std::vector<double> first(out.first.size()), second(out.second.size());
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    for (const Part& part : parts_) {
      fill(part.weight, *part.loss, {first, second, out.stop});
      for (std::size_t i = 0; i < first.size(); ++i) out.first[i] += part.weight * first[i];
      for (std::size_t i = 0; i < second.size(); ++i) out.second[i] += part.weight * second[i];
    }
  }

  std::vector<Part> parts_;
  LossTraits::Weights weights_;
};

class BoundMaximum final : public BoundLoss {
 public:
  explicit BoundMaximum(std::vector<std::unique_ptr<const BoundLoss>> parts)
      : parts_(std::move(parts)) {}

  bool informative(std::size_t q) const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const auto& p) { return p->informative(q); });
  }
  Link link() const override { return parts_[0]->link(); }
  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    double value = parts_[0]->evaluate(q, scores, out);
    std::vector<double> first(scores.size()), second(out.second.size());
    for (std::size_t p = 1; p < parts_.size(); ++p) {
      const double other = parts_[p]->evaluate(q, scores, {first, second, out.stop});
      if (other <= value) continue;
      value = other;
      std::copy(first.begin(), first.end(), out.first.begin());
      std::copy(second.begin(), second.end(), out.second.begin());
    }
    return value;
  }

 private:
  std::vector<std::unique_ptr<const BoundLoss>> parts_;
};

class Sum final : public Loss {
 public:
  explicit Sum(std::vector<WeightedLoss> parts) : parts_(std::move(parts)) {}
  std::string name() const override {
    std::string text;
    for (const auto& [weight, part] : parts_) {
      if (!text.empty()) text += "+";
      text += weight == 1 ? part->name() : fmt::format("{}*{}", weight, part->name());
    }
    return text;
  }
  LossTraits traits() const noexcept override {
    std::vector<LossTraits> all;
    for (const auto& part : parts_) all.push_back(part.second->traits());
    return weakest(all, LossTraits::Shape::quadratic);
  }
  LabelUse label_use() const override {
    LabelUse use;
    for (const auto& part : parts_) use = any_use(use, part.second->label_use());
    return use;
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    std::vector<BoundSum::Part> bound;
    for (const auto& [weight, part] : parts_) {
      bound.push_back({weight, part->bind(data, comm), part->traits().shape});
      require_same_link(*bound[0].loss, *bound.back().loss, name());
    }
    return std::make_unique<BoundSum>(std::move(bound), traits().weights);
  }
  // Of the parts that are over pairs.
  std::unique_ptr<const Loss> over_preferences() const override {
    std::vector<WeightedLoss> over;
    for (const auto& [weight, part] : parts_)
      if (auto pairs = part->over_preferences()) over.emplace_back(weight, std::move(pairs));
    return over.empty() ? nullptr : std::make_unique<Sum>(std::move(over));
  }

 private:
  std::vector<WeightedLoss> parts_;
};

class Maximum final : public Loss {
 public:
  explicit Maximum(std::vector<SharedLoss> parts) : parts_(std::move(parts)) {}
  std::string name() const override {
    std::vector<std::string> names;
    for (const auto& part : parts_) names.push_back(part->name());
    return fmt::format("max({})", fmt::join(names, ","));
  }
  LossTraits traits() const noexcept override {
    std::vector<LossTraits> all;
    for (const auto& part : parts_) all.push_back(part->traits());
    return weakest(all, LossTraits::Shape::convex);
  }
  LabelUse label_use() const override {
    LabelUse use;
    for (const auto& part : parts_) use = any_use(use, part->label_use());
    return use;
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    std::vector<std::unique_ptr<const BoundLoss>> bound;
    for (const auto& part : parts_) {
      bound.push_back(part->bind(data, comm));
      require_same_link(*bound[0], *bound.back(), name());
    }
    return std::make_unique<BoundMaximum>(std::move(bound));
  }

 private:
  std::vector<SharedLoss> parts_;
};

}  // namespace

SharedLoss sum_of_losses(std::vector<WeightedLoss> parts) {
  if (parts.size() == 1 && parts[0].first == 1) return parts[0].second;
  return std::make_unique<Sum>(std::move(parts));
}

SharedLoss maximum_of_losses(std::vector<SharedLoss> parts) {
  if (parts.size() == 1) return parts[0];
  return std::make_unique<Maximum>(std::move(parts));
}

}  // namespace podium
