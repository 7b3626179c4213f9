// The state of a training run in phases, each of which saves and restores its own: the saved state
// includes the number of its phase.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/checkpoint/checkpointing.h"

namespace podium {

class PhaseCheckpoints final : public Checkpoints {
 public:
  // For one phase of the training run of `context`.
  PhaseCheckpoints(std::int64_t phase, const Context& context)
      : phase_(phase), whole_(context.checkpoints) {
    resume(context, found_);
  }
  // The context for the phase.
  Context context(const Context& context) {
    Context inside = context;
    inside.checkpoints = whole_ ? this : nullptr;
    return inside;
  }
  // The phase whose state an earlier run saved; 0: none.
  std::int64_t found_phase() const noexcept { return found_.phase; }

  std::span<const std::byte> resumed() const override {
    return found_.phase == phase_ ? found_.state : std::span<const std::byte>();
  }
  bool due() override { return whole_->due(); }
  void keep(std::span<const std::byte> state) override {
    ArchiveWriter writer;
    writer(Kept{phase_, {state.begin(), state.end()}});
    whole_->keep(writer.take());
  }

 private:
  struct Kept {
    std::int64_t phase = 0;
    std::vector<std::byte> state;
    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self) {
      archive(self.phase, self.state);
    }
  };
  std::int64_t phase_;
  Checkpoints* whole_;
  Kept found_;
};

}  // namespace podium
