// Compiled once for each instruction set that Highway supports; chosen at run time.
#include "measures/swap_kernels.h"

#include "podium/rank_weights.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measures/swap_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, kWeightBlock> kDoubles;

void additive_swap_row_kernel(const double* gain, const double* discount, std::size_t pivot,
                              std::size_t begin, std::size_t end, double* weight) {
  const auto own_gain = hn::Set(kDoubles, gain[pivot]);
  const auto own_discount = hn::Set(kDoubles, discount[pivot]);
  for (std::size_t j = begin; j < end; j += hn::Lanes(kDoubles)) {
    const auto gains = hn::Sub(own_gain, hn::LoadU(kDoubles, gain + j));
    const auto discounts = hn::Sub(own_discount, hn::LoadU(kDoubles, discount + j));
    hn::StoreU(hn::Abs(hn::Mul(gains, discounts)), kDoubles, weight + j);
  }
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(additive_swap_row_kernel);
}  // namespace

void additive_swap_row(const double* gain, const double* discount, std::size_t pivot,
                       std::size_t begin, std::size_t end, double* weight) {
  HWY_DYNAMIC_DISPATCH(additive_swap_row_kernel)(gain, discount, pivot, begin, end, weight);
}

}  // namespace podium
#endif
