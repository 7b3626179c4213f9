// Finds the jumps of a slab with few documents.
//
// If two documents with different gains cross, with k others above them, the value changes by
//
//   (term of the rising one) − (term of the falling one) at rank k, minus the same at rank k + 1.
//
// k is counted from the scores at the crossing; if a third document is so close that rounding could
// matter, the slab is processed exactly: all crossings in ascending α, from exact ranks at the
// lower end, each moving one document down and one up by a rank. The terms depend only on document
// and rank, so crossings at the same α may be processed in any order.
//
// Included once for each instruction set (Highway).
#if defined(PODIUM_SLAB_BLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PODIUM_SLAB_BLOCK_INL_H
#undef PODIUM_SLAB_BLOCK_INL_H
#else
#define PODIUM_SLAB_BLOCK_INL_H
#endif

#include "line_search/slab_crossings-inl.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

// How close a document may be to a crossing of two others without taking part in it, relative to
// the largest |b| + |αa|: a step of the grid, plus rounding.
constexpr double kNear = 0x1p-40;

// For one block: which crossings change the value, and at which rank. keys and ranks are packed to
// those. False if some document is too close.
HWY_INLINE bool count_ranks(const Block& block, double largest_slope, double largest_intercept,
                            std::size_t ranks, std::int64_t* keys, std::int64_t* at_rank,
                            std::size_t& count) {
  const DoubleVector one = hn::Set(kDoubles, 1), two = hn::Set(kDoubles, 2);
  std::size_t kept = 0;
  for (std::size_t c = 0; c < count; c += hn::Lanes(kWords)) {
    const WordVector key = hn::LoadU(kWords, keys + c);
    const DoubleMask valid = hn::FirstN(kDoubles, count - c);
    const DoubleVector alpha = alphas_of(key);
    const WordVector document = hn::IfThenElseZero(hn::RebindMask(kWords, valid),
                                                   hn::And(key, hn::Set(kWords, kOneDocument)));
    const DoubleVector height =
        hn::Add(hn::GatherIndex(kDoubles, block.intercepts, document),
                hn::Mul(alpha, hn::GatherIndex(kDoubles, block.slopes, document)));
    const DoubleVector near =
        hn::Mul(hn::Set(kDoubles, kNear),
                hn::Add(hn::Set(kDoubles, largest_intercept),
                        hn::Mul(hn::Abs(alpha), hn::Set(kDoubles, largest_slope))));
    const DoubleVector high = hn::Add(height, near), low = hn::Sub(height, near);
    DoubleVector above = hn::Zero(kDoubles), not_below = above;
    for (std::size_t l = 0; l < block.count; ++l) {
      const DoubleVector score = hn::MulAdd(alpha, hn::Set(kDoubles, block.slopes[l]),
                                            hn::Set(kDoubles, block.intercepts[l]));
      above = hn::IfThenElse(hn::Gt(score, high), hn::Add(above, one), above);
      not_below = hn::IfThenElse(hn::Ge(score, low), hn::Add(not_below, one), not_below);
    }
    const DoubleMask matters =
        hn::And(valid, hn::Lt(above, hn::Set(kDoubles, static_cast<double>(ranks))));
    const DoubleMask alone = hn::And(hn::Eq(hn::Sub(not_below, above), two),
                                     hn::Lt(hn::Abs(alpha), hn::Set(kDoubles, kFarthestCrossing)));
    if (!hn::AllFalse(kDoubles, hn::AndNot(alone, matters))) return false;
    hn::StoreU(pack(key, matters), kWords, keys + kept);
    hn::StoreU(pack(hn::ConvertTo(kWords, above), matters), kWords, at_rank + kept);
    kept += hn::CountTrue(kDoubles, matters);
  }
  count = kept;
  return true;
}

// Exact ranks just after `low`; documents with identical lines in their order.
HWY_NOINLINE void find_ranks(const Block& block, double low, std::uint32_t* ranks) {
  for (std::size_t i = 0; i < block.count; ++i) {
    ranks[i] = 0;
    const Line line{block.slopes[i], block.intercepts[i]};
    for (std::size_t k = 0; k < i; ++k) {
      const Line other{block.slopes[k], block.intercepts[k]};
      const bool below = is_above_after(low, line, other);
      ranks[k] += below;
      ranks[i] += !below;
    }
  }
}

// The same at −∞.
HWY_INLINE void find_first_ranks(const Block& block, std::uint32_t* ranks) {
  const WordVector one = hn::Set(kWords, 1);
  for (std::size_t i = 0; i < block.count; i += hn::Lanes(kDoubles)) {
    const DoubleVector slopes = hn::LoadU(kDoubles, block.slopes + i);
    const DoubleVector intercepts = hn::LoadU(kDoubles, block.intercepts + i);
    const WordVector place = hn::Iota(kWords, static_cast<std::int64_t>(i));
    WordVector above = hn::Zero(kWords);
    for (std::size_t k = 0; k < block.count; ++k) {
      const DoubleVector slope = hn::Set(kDoubles, block.slopes[k]);
      const DoubleVector intercept = hn::Set(kDoubles, block.intercepts[k]);
      const auto earlier = hn::Lt(hn::Set(kWords, static_cast<std::int64_t>(k)), place);
      const DoubleMask higher =
          hn::Or(hn::Gt(intercept, intercepts),
                 hn::And(hn::Eq(intercept, intercepts), hn::RebindMask(kDoubles, earlier)));
      const DoubleMask is_above =
          hn::Or(hn::Lt(slope, slopes), hn::And(hn::Eq(slope, slopes), higher));
      above = hn::IfThenElse(hn::RebindMask(kWords, is_above), hn::Add(above, one), above);
    }
    std::int64_t counted[8] = {};
    hn::StoreU(above, kWords, counted);
    for (std::size_t k = i; k < std::min(i + hn::Lanes(kDoubles), block.count); ++k)
      ranks[k] = static_cast<std::uint32_t>(counted[k - i]);
  }
}

// Whether two documents have the same line and different gains.
HWY_INLINE bool has_unlike_twins(const Block& block) {
  DoubleMask found = hn::FirstN(kDoubles, 0);
  for (std::size_t i = 0; i < block.count; i += hn::Lanes(kDoubles)) {
    const DoubleVector slopes = hn::LoadU(kDoubles, block.slopes + i);
    const DoubleVector intercepts = hn::LoadU(kDoubles, block.intercepts + i);
    const DoubleVector gains = hn::LoadU(kDoubles, block.gains + i);
    for (std::size_t k = 0; k < block.count; ++k)
      found =
          hn::Or(found, hn::And(hn::And(hn::Eq(hn::Set(kDoubles, block.slopes[k]), slopes),
                                        hn::Eq(hn::Set(kDoubles, block.intercepts[k]), intercepts)),
                                hn::Ne(hn::Set(kDoubles, block.gains[k]), gains)));
  }
  return !hn::AllFalse(kDoubles, found);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
