// Which documents may be among the first τ between two edges of a slab.
//
// Take τ documents that are the first at one edge; let M be the lowest of their scores at the other
// edge. Their minimum is concave in α, so a document that is below the τ-th score T at the one edge
// and below M at the other is below all τ in between. This is checked from both edges, with a
// margin for rounding. At an infinite edge slopes decide, and intercepts among equal slopes,
// exactly.
//
// Included once for each instruction set (Highway).
#if defined(PODIUM_SLAB_POOLS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PODIUM_SLAB_POOLS_INL_H
#undef PODIUM_SLAB_POOLS_INL_H
#else
#define PODIUM_SLAB_POOLS_INL_H
#endif

#include <cmath>

#include "line_search/nth_largest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::size_t kMostSamples = 32;

// The positions of documents at an α, or at an infinite end.
struct Edge {
  Edge(double at, const SlabPool& documents)
      : alpha(at),
        stay(std::isinf(at) ? 0 : 1),
        rise(std::isinf(at) ? std::copysign(1, at) : at),
        error(std::isinf(at) ? 0
                             : 0x1p-40 * (documents.largest_intercept +
                                          std::abs(at) * documents.largest_slope)) {}

  HWY_INLINE DoubleVector scores(DoubleVector slope, DoubleVector intercept) const {
    return hn::Add(hn::Mul(hn::Set(kDoubles, stay), intercept),
                   hn::Mul(hn::Set(kDoubles, rise), slope));
  }

  double alpha;
  double stay, rise;  // score = stay · intercept + rise · slope
  double error;       // of a score difference: a step of the grid, plus rounding
};

// A score, and the intercept among equal ones.
struct Level {
  double score = kLowest, intercept = kLowest;
};

HWY_INLINE DoubleMask reaches(const Level& level, DoubleVector score, DoubleVector intercept) {
  const DoubleVector wanted = hn::Set(kDoubles, level.score);
  if (level.intercept == kLowest) return hn::Ge(score, wanted);
  return hn::Or(
      hn::Gt(score, wanted),
      hn::And(hn::Eq(score, wanted), hn::Ge(intercept, hn::Set(kDoubles, level.intercept))));
}

// An end of a slab: the level of the τ-th document there, and the lowest level there of the first τ
// of the other end.
struct End {
  Edge edge;
  Level top, floor = {};

  // Whether a document may reach the level, allowing for rounding.
  HWY_INLINE DoubleMask reaches_top(DoubleVector score, DoubleVector intercept) const {
    return reaches({top.score - edge.error, top.intercept}, score, intercept);
  }
  HWY_INLINE DoubleMask reaches_floor(DoubleVector score, DoubleVector intercept) const {
    return reaches({floor.score - edge.error, floor.intercept}, score, intercept);
  }
};

// visit(slopes, intercepts, which of them are documents, index of the first)
template <class Visit>
HWY_INLINE void for_each_vector(const SlabPool& pool, Visit&& visit) {
  for (std::size_t p = 0; p < pool.count; p += hn::Lanes(kDoubles))
    visit(hn::LoadU(kDoubles, pool.slopes.data() + p),
          hn::LoadU(kDoubles, pool.intercepts.data() + p), hn::FirstN(kDoubles, pool.count - p), p);
}

// The indices of the documents of a pool for which `choose` holds.
template <class Choose>
HWY_INLINE std::size_t collect(const SlabPool& pool, std::vector<double>& numbers,
                               Choose&& choose) {
  if (numbers.size() < pool.count + kVectorRoom) numbers.resize(pool.count + kVectorRoom);
  std::size_t used = 0;
  for_each_vector(pool, [&](auto slope, auto intercept, auto valid, std::size_t) HWY_ATTR {
    DoubleVector number;
    const DoubleMask chosen = choose(slope, intercept, valid, number);
    hn::StoreU(pack(number, chosen), kDoubles, numbers.data() + used);
    used += hn::CountTrue(kDoubles, chosen);
  });
  return used;
}

// The level of the τ-th document; τ documents reach the score `least`.
HWY_INLINE Level level_of_top(const SlabPool& pool, std::size_t ranks, const Edge& edge,
                              double least, std::vector<double>& numbers) {
  const std::size_t scores =
      collect(pool, numbers, [&](auto slope, auto b, auto valid, auto& score) HWY_ATTR {
        score = edge.scores(slope, b);
        return hn::And(valid, hn::Ge(score, hn::Set(kDoubles, least)));
      });
  const double score = nth_largest(numbers.data(), scores, ranks);
  if (edge.stay != 0) return {score, kLowest};
  std::size_t above = 0;
  const std::size_t equal =
      collect(pool, numbers, [&](auto slope, auto b, auto valid, auto& number) HWY_ATTR {
        number = b;
        const DoubleVector there = edge.scores(slope, b), level = hn::Set(kDoubles, score);
        above += hn::CountTrue(kDoubles, hn::And(valid, hn::Gt(there, level)));
        return hn::And(valid, hn::Eq(there, level));
      });
  return {score, nth_largest(numbers.data(), equal, ranks - above)};
}

// The lowest level at `to` of the documents that reach `level` at `from`.
HWY_INLINE Level lowest_of_top(const SlabPool& pool, const End& from, const Edge& to) {
  const DoubleVector never = hn::Set(kDoubles, std::numeric_limits<double>::infinity());
  const auto in_top = [&](auto slope, auto intercept, auto valid) HWY_ATTR {
    return hn::And(valid, reaches(from.top, from.edge.scores(slope, intercept), intercept));
  };
  DoubleVector score = never;
  for_each_vector(pool, [&](auto slope, auto intercept, auto valid, std::size_t) HWY_ATTR {
    score = hn::Min(
        score, hn::IfThenElse(in_top(slope, intercept, valid), to.scores(slope, intercept), never));
  });
  Level lowest{hn::GetLane(hn::MinOfLanes(kDoubles, score)), kLowest};
  if (to.stay != 0) return lowest;
  DoubleVector least = never;
  for_each_vector(pool, [&](auto slope, auto intercept, auto valid, std::size_t) HWY_ATTR {
    const auto at_lowest = hn::Eq(to.scores(slope, intercept), hn::Set(kDoubles, lowest.score));
    least = hn::Min(least, hn::IfThenElse(hn::And(in_top(slope, intercept, valid), at_lowest),
                                          intercept, never));
  });
  lowest.intercept = hn::GetLane(hn::MinOfLanes(kDoubles, least));
  return lowest;
}

// The documents of a pool that may be among the first τ between two ends.
HWY_INLINE void choose_pool(const SlabPool& from, const End& low, const End& high, SlabPool& to) {
  to.make_room(from.count);
  std::size_t kept = 0;
  for_each_vector(from, [&](auto slope, auto intercept, auto valid, std::size_t p) HWY_ATTR {
    const DoubleVector at_low = low.edge.scores(slope, intercept);
    const DoubleVector at_high = high.edge.scores(slope, intercept);
    const DoubleMask by_low =
        hn::Or(low.reaches_top(at_low, intercept), high.reaches_floor(at_high, intercept));
    const DoubleMask by_high =
        hn::Or(low.reaches_floor(at_low, intercept), high.reaches_top(at_high, intercept));
    const DoubleMask keep = hn::And(valid, hn::And(by_low, by_high));
    hn::StoreU(pack(slope, keep), kDoubles, to.slopes.data() + kept);
    hn::StoreU(pack(intercept, keep), kDoubles, to.intercepts.data() + kept);
    hn::StoreU(pack(hn::LoadU(kWords, from.places.data() + p), keep), kWords,
               to.places.data() + kept);
    kept += hn::CountTrue(kDoubles, keep);
  });
  to.count = kept;
  to.largest_slope = from.largest_slope;
  to.largest_intercept = from.largest_intercept;
}

// Crossings sampled from the pool, inside a range and on the grid, ascending.
struct Samples {
  std::size_t count = 0;
  double alphas[kMostSamples];

  double middle() const { return alphas[count / 2]; }
};

HWY_INLINE void sort_samples(const double* found, std::size_t count, GridRange range,
                             Samples& samples) {
  double sorted[kMostSamples];
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t smaller = 0;
    for (std::size_t k = 0; k < count; ++k)
      smaller += (found[k] < found[i]) | ((found[k] == found[i]) & (k < i));
    sorted[smaller] = found[i];
  }
  samples.count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double alpha = std::abs(sorted[i]) < kNearestCrossing ? 0 : to_grid(sorted[i]);
    if (alpha > range.low && alpha < range.high) samples.alphas[samples.count++] = alpha;
  }
}

HWY_INLINE void sample_crossings(const SlabPool& pool, GridRange range, std::size_t most,
                                 Samples& samples) {
  const std::size_t half = pool.count / 2, lanes = hn::Lanes(kDoubles);
  double found[kMostSamples + kVectorRoom];
  std::size_t used = 0;
  for (std::size_t p = 0; p < half && used < most; p += lanes) {
    const auto at = [&](const std::vector<double>& x, std::size_t i)
                        HWY_ATTR { return hn::LoadU(kDoubles, x.data() + i); };
    const DoubleVector rise = hn::Sub(at(pool.intercepts, p), at(pool.intercepts, p + half));
    const DoubleVector run = hn::Sub(at(pool.slopes, p + half), at(pool.slopes, p));
    const DoubleVector x = hn::Div(rise, run);
    const DoubleMask inside = hn::And(
        hn::And(hn::Gt(x, hn::Set(kDoubles, range.low)), hn::Lt(x, hn::Set(kDoubles, range.high))),
        hn::And(hn::Lt(hn::Abs(x), hn::Set(kDoubles, kFarthestSlabEdge)),
                hn::FirstN(kDoubles, half - p)));
    hn::StoreU(pack(x, inside), kDoubles, found + used);
    used += hn::CountTrue(kDoubles, inside);
  }
  sort_samples(found, std::min(used, most), range, samples);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
