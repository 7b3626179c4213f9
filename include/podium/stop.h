// Stop requests inside long work: code that takes long for one list checks a StopCheck repeatedly.
#pragma once

#include <stop_token>

#include "podium/error.h"

namespace podium {

// Thrown to end work after a stop request; its partial results are invalid. A trainer that already
// has a model returns it instead.
class Stopped : public Error {
 public:
  Stopped()
      : Error(ErrorCode::training, "stopped before the first round ended: there is no model") {}
};

// Throws Stopped after a stop request; without a token it never does. Cheap enough for inner loops
// of some hundred operations.
class StopCheck {
 public:
  StopCheck() = default;
  explicit StopCheck(const std::stop_token& stop) : stop_(&stop) {}  // must outlive this

  void operator()() const {
    if (stop_ && stop_->stop_requested()) throw Stopped();
  }

 private:
  const std::stop_token* stop_ = nullptr;
};

}  // namespace podium
