// Where the work on documents is done: growing trees and scoring with them. The results are the
// same bytes on every device, so the choice affects only speed and is not stored in a model or a
// checkpoint.
//
//   cpu        the threads of Context::pool
//   cuda:N     the N-th GPU of this machine, from 0; `cuda` is the first
//   emulated   the kernels of GPUs, run by the CPU in one thread: for tests on machines without one
//
// podium/gpu.h finds out which GPUs there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace podium {

struct Device {
  enum class Kind : std::uint8_t { cpu, cuda, emulated };

  Kind kind = Kind::cpu;
  int number = 0;  // of the GPU

  friend bool operator==(const Device&, const Device&) = default;
};

// "cpu", "cuda:0", "emulated".
std::string to_text(const Device& device);
// Throws a usage Error for other names. Whether this machine has the device is a question to gpu.h.
Device parse_device(std::string_view name);

}  // namespace podium
