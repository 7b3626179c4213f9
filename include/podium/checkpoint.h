// Where a long training run saves its state, so that a later run can resume from there and end with
// the same bits. The state does not depend on the number of ranks: each rank recomputes what
// concerns its own documents from the model. Only the trainer knows the content.
#pragma once

#include <cstddef>
#include <span>

namespace podium {

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // The state saved by an earlier run; empty: start from the beginning. The same on every rank.
  virtual std::span<const std::byte> resumed() const = 0;
  // Whether it is time to save the state. Called after every iteration; ranks may get different
  // answers, and one yes is enough.
  virtual bool due() = 0;
  // Saves the state, replacing the previous one.
  virtual void keep(std::span<const std::byte> state) = 0;
};

}  // namespace podium
