#include "core/vector_target.h"

#include <array>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "podium/error.h"

namespace podium {
namespace {

struct Name {
  VectorTarget target;
  std::string_view given, shown;
};
constexpr std::array<Name, 3> kNames = {{{VectorTarget::baseline, "baseline", "baseline"},
                                         {VectorTarget::avx2, "avx2", "AVX2"},
                                         {VectorTarget::avx512, "avx512", "AVX-512"}}};

const Name& name_of(VectorTarget target) {
  return kNames[static_cast<std::size_t>(target)];
}

VectorTarget widest_of_machine() {
#if defined(__x86_64__)
  const std::int64_t supported = hwy::SupportedTargets();
  if (supported & (HWY_AVX3 | HWY_AVX3_DL)) return VectorTarget::avx512;
  if (supported & HWY_AVX2) return VectorTarget::avx2;
#endif
  return VectorTarget::baseline;
}

// Highway always keeps the baseline of the family.
void tell_highway(VectorTarget target) {
  if (target == VectorTarget::baseline) hwy::DisableTargets(~std::int64_t{0});
#if defined(__x86_64__)
  if (target == VectorTarget::avx2) hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
#endif
}

VectorTarget choose() {
  const VectorTarget widest = widest_of_machine();
  const char* const variable = std::getenv("PODIUM_SIMD");
  const VectorTarget chosen = choose_vector_target(variable ? variable : "", widest);
  if (chosen != widest) tell_highway(chosen);
  return chosen;
}

}  // namespace

VectorTarget choose_vector_target(std::string_view wanted, VectorTarget widest) {
  if (wanted.empty()) return widest;
  for (const Name& name : kNames) {
    if (name.given != wanted) continue;
    if (name.target > widest)
      throw Error(ErrorCode::usage,
                  fmt::format("PODIUM_SIMD={}: this machine has no {}; its widest is {}", wanted,
                              name.shown, name_of(widest).given));
    return name.target;
  }
  throw Error(ErrorCode::usage,
              fmt::format("PODIUM_SIMD={} is not one of baseline, avx2, avx512", wanted));
}

std::string_view vector_target_name(VectorTarget target) {
  return name_of(target).shown;
}

VectorTarget vector_target() {
  static const VectorTarget chosen = choose();
  return chosen;
}

}  // namespace podium
