// Code that only the fake driver takes for kernels, so that these tests need no nvcc.
#include <array>

#include "device/gpu_code.h"

namespace podium {
namespace {

constexpr std::array<std::byte, 16> kCode = {};

}  // namespace

std::span<const std::byte> gpu_code() {
  return kCode;
}
std::string_view gpu_code_targets() {
  return "sm_80 and a fake";
}
int gpu_code_oldest() {
  return 80;
}

}  // namespace podium
