#include "device/gpu_code.h"

#if defined(PODIUM_GPU_CODE)
// 16: fat binaries are read in words.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "podium_gpu_code_begin:\n"
    ".incbin \"" PODIUM_GPU_CODE
    "\"\n"
    "podium_gpu_code_end:\n"
    ".previous\n");
extern "C" const std::byte podium_gpu_code_begin[], podium_gpu_code_end[];
#endif

namespace podium {

#if defined(PODIUM_GPU_CODE)
std::span<const std::byte> gpu_code() {
  return {podium_gpu_code_begin, podium_gpu_code_end};
}
std::string_view gpu_code_targets() {
  return PODIUM_GPU_TARGETS;
}
int gpu_code_oldest() {
  return PODIUM_GPU_OLDEST;
}
#else
std::span<const std::byte> gpu_code() {
  return {};
}
std::string_view gpu_code_targets() {
  return {};
}
int gpu_code_oldest() {
  return 0;
}
#endif

}  // namespace podium
