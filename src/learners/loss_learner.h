// Learners that minimise a loss: each row has a default, and with_loss() replaces it.
#pragma once

#include "podium/learner.h"

namespace podium {

// `Self` derives from this, and must be copyable.
template <class Self>
class LossLearner : public Learner {
 public:
  std::optional<SharedLoss> loss() const final { return loss_; }
  std::unique_ptr<const Learner> with_loss(const SharedLoss& loss) const override {
    auto copy = std::make_unique<Self>(static_cast<const Self&>(*this));
    static_cast<LossLearner&>(*copy).loss_ = loss;
    return copy;
  }

 protected:
  explicit LossLearner(SharedLoss own) : loss_(std::move(own)) {}
  const Loss& minimised() const noexcept { return *loss_; }

 private:
  SharedLoss loss_;
};

}  // namespace podium
