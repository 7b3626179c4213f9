// Where a long training keeps its state, so that another run can go on from there and end with the
// same bits. The state is that of the whole training, whatever the number of ranks: each rank finds
// what concerns its own documents again from the model. Only the trainer knows what is in it.
#pragma once

#include <cstddef>
#include <span>

namespace podium {

class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  // What an earlier run of the same training left; empty: begin at the beginning. The same on every
  // rank.
  virtual std::span<const std::byte> resumed() const = 0;
  // Whether it is time to keep the state. Asked after every iteration; ranks may get different
  // answers, and one of them is enough.
  virtual bool due() = 0;
  // Keeps it in place of the one before.
  virtual void keep(std::span<const std::byte> state) = 0;
};

}  // namespace podium
