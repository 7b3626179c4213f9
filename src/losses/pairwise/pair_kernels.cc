// Compiled once for each instruction set that Highway supports; chosen at run time. Uses the
// compiler's vector extensions with the target's width. Sums are kept in kPairBlock partial sums
// and added in a fixed order, for any width of vectors.
#include "losses/pairwise/pair_kernels.h"

// No vectors are passed between translation units, so the ABI for passing them does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "losses/pairwise/pair_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "losses/pairwise/lane_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

#define PODIUM_LANE_FUNCTION HWY_INLINE
#include "losses/pairwise/pair_functions-inl.h"
#undef PODIUM_LANE_FUNCTION

constexpr std::size_t kParts = kPairBlock / kLanes;

// kPairBlock partial sums.
struct Sums {
  Lanes part[kParts] = {};

  HWY_INLINE double total() const {
    double lane[kPairBlock];
    for (std::size_t k = 0; k < kParts; ++k) store(lane + k * kLanes, part[k]);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
};

template <class Function>
RowSums sum_row(const PairRow& given, const PairShape& given_shape) {
  const PairRow row = given;  // a copy that no store can change
  const PairShape shape = given_shape;
  const double score = row.score[row.pivot], grade = row.grade[row.pivot];
  const double power = row.power ? row.power[row.pivot] : 0;
  Sums value, force, first, second;
  for (std::size_t at = row.begin; at < row.end; at += kPairBlock) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kParts; ++k) {
      const std::size_t j = at + k * kLanes;
      const Lanes gap = grade - load(row.grade + j);
      const auto reversed = gap < 0.0;  // the other document is the better one
      const Lanes lead = score - load(row.score + j);
      Pairs pairs{reversed ? -lead : lead, magnitude(lead), magnitude(gap), {}, {}};
      if constexpr (Function::kFromPowers) {
        const Lanes other = load(row.power + j);
        pairs.better = reversed ? other : splat(power);
        pairs.worse = reversed ? splat(power) : other;
      }
      const auto costs = Function::at(pairs, shape);
      const Lanes weight = load(row.weight + j);
      const Lanes pull = weight * costs.first, curvature = weight * costs.second;
      const Lanes slope = reversed ? -pull : pull;
      if constexpr (requires { costs.value; }) value.part[k] += weight * costs.value;
      force.part[k] -= pull;
      first.part[k] += slope;
      second.part[k] += curvature;
      store(row.first + j, load(row.first + j) - slope);
      store(row.second + j, load(row.second + j) + curvature);
    }
  }
  row.first[row.pivot] += first.total();
  row.second[row.pivot] += second.total();
  return {value.total(), force.total()};
}

void powers(const double* score, std::size_t end, double centre, double* power) {
  for (std::size_t j = 0; j < end; j += kLanes) store(power + j, exp_of(load(score + j) - centre));
}

// How many of the scores at begin … end − 1 are above, for each lane. Counts are integers, exact in
// any order: four independent sums.
template <class Above>
HWY_INLINE FloatLanes count(const float* score, std::size_t begin, std::size_t end, Above&& above) {
  constexpr std::size_t kSums = 4;
  FloatLanes counts[kSums] = {};
  std::size_t j = begin;
  for (; j + kSums <= end; j += kSums)
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kSums; ++k)
      counts[k] = above(FloatLanes{} + score[j + k]) ? counts[k] + 1.0F : counts[k];
  for (; j < end; ++j) counts[0] = above(FloatLanes{} + score[j]) ? counts[0] + 1.0F : counts[0];
  return (counts[0] + counts[1]) + (counts[2] + counts[3]);
}

void ranks(const float* score, std::size_t documents, float* rank) {
  FloatLanes lane;
  for (std::size_t k = 0; k < kFloatLanes; ++k) lane[k] = static_cast<float>(k);
  for (std::size_t i = 0; i < documents; i += kFloatLanes) {
    FloatLanes here;
    __builtin_memcpy(&here, score + i, sizeof here);
    const std::size_t behind = i + kFloatLanes < documents ? i + kFloatLanes : documents;
    FloatLanes above = count(score, 0, i, [&](FloatLanes other) HWY_ATTR { return other >= here; });
    for (std::size_t j = i; j < behind; ++j) {
      const FloatLanes other = FloatLanes{} + score[j];
      const auto before = lane > static_cast<float>(j - i);
      above = (other > here) | ((other == here) & before) ? above + 1.0F : above;
    }
    above +=
        count(score, behind, documents, [&](FloatLanes other) HWY_ATTR { return other > here; });
    __builtin_memcpy(rank + i, &above, sizeof above);
  }
}

constexpr PairKernels kPairKernels = {
    sum_row<Logistic>,
    sum_row<LogisticFromPowers>,
    sum_row<LogisticSlopes>,
    sum_row<NearLogistic>,
    sum_row<NearLogisticFromPowers>,
    sum_row<NearLogisticSlopes>,
    sum_row<Hinge>,
    sum_row<SquaredHinge>,
    sum_row<Exponential>,
    sum_row<Fidelity>,
    sum_row<Margin>,
    sum_row<LiteralMargin>,
    powers,
    ranks,
};

const PairKernels* pair_kernels_of_target() {
  return &kPairKernels;
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(pair_kernels_of_target);
}  // namespace

const PairKernels& pair_kernels() {
  return *HWY_DYNAMIC_DISPATCH(pair_kernels_of_target)();
}

}  // namespace podium
#endif
