// The nth largest of some numbers, for small n, and the vectors used by slabs.
//
// Included once for each instruction set (Highway).
#if defined(PODIUM_NTH_LARGEST_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PODIUM_NTH_LARGEST_INL_H
#undef PODIUM_NTH_LARGEST_INL_H
#else
#define PODIUM_NTH_LARGEST_INL_H
#endif

#include <algorithm>
#include <limits>

#include <hwy/highway.h>

#include "line_search/slab_walk.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Words = hn::Rebind<std::int64_t, Doubles>;
using DoubleVector = hn::Vec<Doubles>;
using WordVector = hn::Vec<Words>;
using DoubleMask = hn::Mask<Doubles>;

constexpr Doubles kDoubles;
constexpr Words kWords;

constexpr double kLowest = -std::numeric_limits<double>::infinity();

// The lanes of the mask, in order, starting at the first lane. For AVX-512, Highway's version
// copies a table to the stack, although there is an instruction for this.
HWY_INLINE DoubleVector pack(DoubleVector x, DoubleMask lanes) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return DoubleVector{_mm512_maskz_compress_pd(lanes.raw, x.raw)};
#else
  return hn::Compress(x, lanes);
#endif
}
HWY_INLINE WordVector pack(WordVector x, DoubleMask lanes) {
  return hn::BitCast(kWords, pack(hn::BitCast(kDoubles, x), lanes));
}

// The nth largest of a few numbers, padded with a vector of −∞: the largest number that at least n
// reach.
HWY_INLINE double nth_of_few(const double* numbers, std::size_t count, std::size_t nth) {
  const std::size_t lanes = hn::Lanes(kDoubles);
  const DoubleVector wanted = hn::Set(kDoubles, static_cast<double>(nth));
  const DoubleVector one = hn::Set(kDoubles, 1);
  DoubleVector largest = hn::Set(kDoubles, kLowest);
  for (std::size_t p = 0; p < count; p += lanes) {
    const DoubleVector x = hn::LoadU(kDoubles, numbers + p);
    DoubleVector reached = hn::Zero(kDoubles);
    for (std::size_t k = 0; k < count; ++k)
      reached =
          hn::IfThenElse(hn::Ge(hn::Set(kDoubles, numbers[k]), x), hn::Add(reached, one), reached);
    largest =
        hn::Max(largest, hn::IfThenElse(hn::Ge(reached, wanted), x, hn::Set(kDoubles, kLowest)));
  }
  return hn::GetLane(hn::MaxOfLanes(kDoubles, largest));
}

// For many numbers, one after another from the largest on.
HWY_NOINLINE double nth_of_many(const double* numbers, std::size_t count, std::size_t nth) {
  const DoubleVector lowest = hn::Set(kDoubles, kLowest);
  DoubleVector level = hn::Set(kDoubles, std::numeric_limits<double>::infinity());
  for (;;) {
    DoubleVector next = lowest;
    std::size_t below = 0;
    for (std::size_t p = 0; p < count; p += hn::Lanes(kDoubles)) {
      const DoubleVector x = hn::LoadU(kDoubles, numbers + p);
      const DoubleMask is_below = hn::And(hn::Lt(x, level), hn::FirstN(kDoubles, count - p));
      next = hn::Max(next, hn::IfThenElse(is_below, x, lowest));
      below += hn::CountTrue(kDoubles, is_below);
    }
    if (count - below >= nth || below == 0) return hn::GetLane(level);
    level = hn::MaxOfLanes(kDoubles, next);
  }
}

// Of `count` numbers with room for kVectorRoom more; the array is changed. The maxima of 16 parts
// are 16 of the numbers: the nth of those is a lower bound that excludes most others.
HWY_INLINE double nth_largest(double* numbers, std::size_t count, std::size_t nth) {
  constexpr std::size_t kParts = kDeepestSlabTop, kFew = 48;
  const std::size_t lanes = hn::Lanes(kDoubles);
  const DoubleVector lowest = hn::Set(kDoubles, kLowest);
  for (std::size_t p = 0; p < kVectorRoom; p += lanes)
    hn::StoreU(lowest, kDoubles, numbers + count + p);
  if (count > 2 * kParts) {
    double largest[kParts];
    for (std::size_t part = 0; part < kParts; part += lanes) {
      DoubleVector most = lowest;
      for (std::size_t p = part; p < count; p += kParts)
        most = hn::Max(most, hn::LoadU(kDoubles, numbers + p));
      hn::StoreU(most, kDoubles, largest + part);
    }
    const DoubleVector bound = hn::Set(kDoubles, nth_of_few(largest, kParts, nth));
    std::size_t used = 0;
    for (std::size_t p = 0; p < count; p += lanes) {
      const DoubleVector x = hn::LoadU(kDoubles, numbers + p);
      const DoubleMask reaches = hn::And(hn::Ge(x, bound), hn::FirstN(kDoubles, count - p));
      hn::StoreU(pack(x, reaches), kDoubles, numbers + used);
      used += hn::CountTrue(kDoubles, reaches);
    }
    count = used;
    hn::StoreU(lowest, kDoubles, numbers + count);
  }
  return count > kFew ? nth_of_many(numbers, count, nth) : nth_of_few(numbers, count, nth);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
