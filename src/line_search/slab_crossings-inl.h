// The crossings of a few documents inside one slab. A crossing is one number: the image of its α on
// the grid, as an integer with the same order, with the two documents in the bits that the grid
// leaves free.
//
// Included once for each instruction set (Highway).
#if defined(PODIUM_SLAB_CROSSINGS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PODIUM_SLAB_CROSSINGS_INL_H
#undef PODIUM_SLAB_CROSSINGS_INL_H
#else
#define PODIUM_SLAB_CROSSINGS_INL_H
#endif

#include <bit>

#include "line_search/slab_pools-inl.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kSignBit = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kIndexBits = static_cast<std::int64_t>(kGridStep) - 1;
constexpr std::int64_t kOneDocument = static_cast<std::int64_t>(kMostBlockDocuments) - 1;

HWY_INLINE double alpha_of(std::int64_t key) {
  const std::int64_t flip = key < 0 ? ~kSignBit : 0;
  return std::bit_cast<double>((key ^ flip) & ~kIndexBits);
}
HWY_INLINE DoubleVector alphas_of(WordVector keys) {
  const WordVector flip = hn::And(hn::ShiftRight<63>(keys), hn::Set(kWords, ~kSignBit));
  return hn::BitCast(kDoubles, hn::AndNot(hn::Set(kWords, kIndexBits), hn::Xor(keys, flip)));
}
HWY_INLINE WordVector keys_of(DoubleVector images, WordVector documents) {
  const WordVector bits = hn::BitCast(kWords, images);
  const WordVector flip = hn::And(hn::ShiftRight<63>(bits), hn::Set(kWords, ~kSignBit));
  return hn::Or(hn::AndNot(hn::Set(kWords, kIndexBits), hn::Xor(bits, flip)), documents);
}
HWY_INLINE std::size_t falling(std::int64_t key) {
  return static_cast<std::size_t>(key >> kBlockDocumentBits & kOneDocument);
}
HWY_INLINE std::size_t rising(std::int64_t key) {
  return static_cast<std::size_t>(key & kOneDocument);
}

// All lines twice, concatenated: those at i + d for all i are contiguous in memory.
struct Block {
  std::size_t count;
  double slopes[2 * kMostBlockDocuments + kVectorRoom];
  double intercepts[2 * kMostBlockDocuments + kVectorRoom];
  double gains[2 * kMostBlockDocuments + kVectorRoom];

  Block(const SlabPool& pool, std::span<const double> of_query) : count(pool.count) {
    for (std::size_t i = 0; i < count; ++i) {
      slopes[i] = slopes[i + count] = pool.slopes[i];
      intercepts[i] = intercepts[i + count] = pool.intercepts[i];
      gains[i] = gains[i + count] = of_query[static_cast<std::size_t>(pool.places[i])];
    }
    for (double* const padding : {slopes, intercepts, gains})
      std::fill_n(padding + 2 * count, kVectorRoom, 0.0);
  }
};

// The images of crossings that the quotient does not determine.
HWY_NOINLINE DoubleVector decide(const Block& block, std::size_t i, std::size_t j,
                                 DoubleVector images, DoubleMask unsure) {
  double image[8];
  std::uint8_t bits[8] = {};
  hn::StoreU(images, kDoubles, image);
  hn::StoreMaskBits(kDoubles, unsure, bits);
  for (std::size_t lane = 0; lane < hn::Lanes(kDoubles); ++lane) {
    if (!(bits[0] >> lane & 1)) continue;
    const Line x{block.slopes[i + lane], block.intercepts[i + lane]};
    const Line y{block.slopes[j + lane], block.intercepts[j + lane]};
    image[lane] = x.slope < y.slope ? crossing(x, y) : crossing(y, x);
  }
  return hn::LoadU(kDoubles, image);
}

// For the lines i, i + 1, … with j, j + 1, …; arbitrary if slopes are equal.
HWY_INLINE DoubleVector images_of(const Block& block, std::size_t i, std::size_t j,
                                  DoubleVector rise, DoubleVector run, DoubleMask wanted) {
  const DoubleVector x = hn::Div(rise, run);
  const WordVector half = hn::Set(kWords, static_cast<std::int64_t>(kGridStep / 2));
  const WordVector error = hn::Set(kWords, static_cast<std::int64_t>(kQuotientError));
  const WordVector index_bits = hn::Set(kWords, kIndexBits);
  const WordVector up = hn::Add(hn::BitCast(kWords, x), half);
  const DoubleVector image = hn::BitCast(kDoubles, hn::AndNot(index_bits, up));
  const auto near_middle = hn::Lt(hn::And(hn::Add(up, error), index_bits), hn::Add(error, error));
  const DoubleVector size = hn::Abs(x);
  const DoubleMask usual = hn::And(hn::Lt(size, hn::Set(kDoubles, kFarthestCrossing)),
                                   hn::Ge(size, hn::Set(kDoubles, kNearestCrossing)));
  const DoubleMask unsure =
      hn::And(wanted, hn::Or(hn::RebindMask(kDoubles, near_middle), hn::Not(usual)));
  if (HWY_UNLIKELY(!hn::AllFalse(kDoubles, unsure))) return decide(block, i, j, image, unsure);
  return image;
}

// visit(lanes, whether j is steeper, images, i, j) for vectors of pairs (i, j = i + d), every pair
// once; lanes are those of pairs that cross and for which wanted(first i, first j) holds.
template <class Wanted, class Visit>
HWY_INLINE void for_each_crossing(const Block& block, Wanted&& wanted, Visit&& visit) {
  const std::size_t lanes = hn::Lanes(kDoubles), n = block.count;
  const WordVector all = hn::Set(kWords, static_cast<std::int64_t>(n));
  const WordVector last = hn::Set(kWords, static_cast<std::int64_t>(n) - 1);
  for (std::size_t i = 0; i < n; i += lanes) {
    const DoubleVector slopes = hn::LoadU(kDoubles, block.slopes + i);
    const DoubleVector intercepts = hn::LoadU(kDoubles, block.intercepts + i);
    const WordVector place = hn::Iota(kWords, static_cast<std::int64_t>(i));
    for (std::size_t d = 1; 2 * d <= n; ++d) {
      const std::size_t j = i + d, end = 2 * d == n ? d : n;
      if (i >= end) break;
      const DoubleVector run = hn::Sub(hn::LoadU(kDoubles, block.slopes + j), slopes);
      const DoubleVector rise = hn::Sub(intercepts, hn::LoadU(kDoubles, block.intercepts + j));
      const DoubleMask crosses = hn::And(
          hn::And(hn::FirstN(kDoubles, end - i), hn::Ne(run, hn::Zero(kDoubles))), wanted(i, j));
      const DoubleVector images = images_of(block, i, j, rise, run, crosses);
      const WordVector shifted = hn::Add(place, hn::Set(kWords, static_cast<std::int64_t>(d)));
      const WordVector other = hn::Sub(shifted, hn::IfThenElseZero(hn::Gt(shifted, last), all));
      visit(crosses, hn::Gt(run, hn::Zero(kDoubles)), images, place, other);
    }
  }
}

// Keys of the crossings inside the slab, low < α < high.
template <class Wanted>
HWY_INLINE std::size_t find_crossings(const Block& block, GridRange slab, Wanted&& wanted,
                                      std::int64_t* keys) {
  const DoubleVector low = hn::Set(kDoubles, slab.low), high = hn::Set(kDoubles, slab.high);
  std::size_t found = 0;
  for_each_crossing(
      block, wanted, [&](auto crosses, auto steeper, auto images, auto i, auto j) HWY_ATTR {
        const DoubleMask inside =
            hn::And(crosses, hn::And(hn::Gt(images, low), hn::Lt(images, high)));
        const auto j_rises = hn::RebindMask(kWords, steeper);
        const WordVector falls = hn::IfThenElse(j_rises, i, j),
                         rises = hn::IfThenElse(j_rises, j, i);
        const WordVector documents = hn::Or(hn::ShiftLeft<kBlockDocumentBits>(falls), rises);
        hn::StoreU(pack(keys_of(images, documents), inside), kWords, keys + found);
        found += hn::CountTrue(kDoubles, inside);
      });
  return found;
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
