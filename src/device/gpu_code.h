// The kernels compiled for GPUs, embedded in the program (cmake/gpu.cmake).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace podium {

// A fat binary, as the driver loads it; empty: this build has no GPU support.
std::span<const std::byte> gpu_code();
// "sm_80 sm_86 sm_89 sm_90, PTX for 8.0"
std::string_view gpu_code_targets();
// The oldest architecture that can run it, e.g. 80.
int gpu_code_oldest();

}  // namespace podium
