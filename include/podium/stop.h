// Stop requests inside long work: what takes long over one list asks a StopCheck on the way.
#pragma once

#include <stop_token>

#include "podium/error.h"

namespace podium {

// Ends work in the middle, after a stop request: what it has written is void. A trainer that has a
// model by then returns it instead.
class Stopped : public Error {
 public:
  Stopped()
      : Error(ErrorCode::training, "stopped before the first round ended: there is no model") {}
};

// Throws Stopped after a stop request; one without a token never does. Cheap enough for inner loops
// of some hundred operations.
class StopCheck {
 public:
  StopCheck() = default;
  explicit StopCheck(const std::stop_token& stop) : stop_(&stop) {}  // which outlives this

  void operator()() const {
    if (stop_ && stop_->stop_requested()) throw Stopped();
  }

 private:
  const std::stop_token* stop_ = nullptr;
};

}  // namespace podium
