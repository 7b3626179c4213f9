// Checkpoints for tests of stopping and resuming.
#pragma once

#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "podium/context.h"

namespace podium::testing {

// Keeps every state in memory, and requests a stop at every n-th of them (0: never).
class StoppingCheckpoints final : public Checkpoints {
 public:
  StoppingCheckpoints(std::vector<std::byte> state, int every)
      : resumed_(std::move(state)), every_(every) {}

  std::span<const std::byte> resumed() const override { return resumed_; }
  bool due() override { return true; }
  void keep(std::span<const std::byte> state) override {
    state_.assign(state.begin(), state.end());
    if (++kept_ == every_) stop_.request_stop();
  }

  std::stop_token stop_token() const { return stop_.get_token(); }
  bool stopped() const { return stop_.stop_requested(); }
  const std::vector<std::byte>& state() const noexcept { return state_; }

 private:
  std::vector<std::byte> resumed_, state_;
  int every_, kept_ = 0;
  std::stop_source stop_;
};

}  // namespace podium::testing
