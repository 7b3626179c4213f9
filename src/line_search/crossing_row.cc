// Compiled once for each instruction set that Highway supports on this architecture; all of them
// find the same codes.
#include "line_search/crossing_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "line_search/crossing_row.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, 8> kDoubles;
constexpr hn::Rebind<std::int64_t, decltype(kDoubles)> kWords;
constexpr hn::Rebind<std::int32_t, decltype(kDoubles)> kInts;
constexpr hn::Rebind<RowCode, decltype(kDoubles)> kCodes;
using DoubleVector = hn::Vec<decltype(kDoubles)>;
using DoubleMask = hn::Mask<decltype(kDoubles)>;

// The images of crossings that the quotient does not determine.
HWY_NOINLINE DoubleVector decide(const Line& line, const double* slopes, const double* intercepts,
                                 DoubleVector images, DoubleMask unsure) {
  double image[8];
  std::uint8_t bits[8] = {};
  hn::StoreU(images, kDoubles, image);
  hn::StoreMaskBits(kDoubles, unsure, bits);
  for (std::size_t lane = 0; lane < hn::Lanes(kDoubles); ++lane) {
    if (!(bits[0] >> lane & 1)) continue;
    const Line other{slopes[lane], intercepts[lane]};
    image[lane] = line.slope < other.slope ? crossing(line, other) : crossing(other, line);
  }
  return hn::LoadU(kDoubles, image);
}

// The same as in line_crossing.h, for the lanes of `crosses`.
HWY_INLINE DoubleVector images_of(const Line& line, const double* slopes, const double* intercepts,
                                  DoubleVector run, DoubleMask crosses) {
  const DoubleVector rise =
      hn::Sub(hn::Set(kDoubles, line.intercept), hn::LoadU(kDoubles, intercepts));
  const DoubleVector x = hn::Div(rise, run);
  const auto error = hn::Set(kWords, static_cast<std::int64_t>(kQuotientError));
  const auto dropped = hn::Set(kWords, static_cast<std::int64_t>(kGridStep) - 1);
  const auto up =
      hn::Add(hn::BitCast(kWords, x), hn::Set(kWords, static_cast<std::int64_t>(kGridStep / 2)));
  const DoubleVector image = hn::BitCast(kDoubles, hn::AndNot(dropped, up));
  const auto near_middle = hn::Lt(hn::And(hn::Add(up, error), dropped), hn::Add(error, error));
  const DoubleVector size = hn::Abs(x);
  const DoubleMask usual = hn::And(hn::Lt(size, hn::Set(kDoubles, kFarthestCrossing)),
                                   hn::Ge(size, hn::Set(kDoubles, kNearestCrossing)));
  const DoubleMask unsure =
      hn::And(crosses, hn::Or(hn::RebindMask(kDoubles, near_middle), hn::Not(usual)));
  if (HWY_UNLIKELY(!hn::AllFalse(kDoubles, unsure)))
    return decide(line, slopes, intercepts, image, unsure);
  return image;
}

void find_row_kernel(const Line& line, const OtherLines& others, GridRange range,
                     const SampledBuckets& bucket_of, RowCode* codes) {
  const auto all = [](double x) HWY_ATTR { return hn::Set(kDoubles, x); };
  const DoubleVector zero = all(0), one = all(1);
  const DoubleVector slope = all(line.slope), unit = all(bucket_of.unit());
  for (std::size_t d = 0; d < others.size(); d += hn::Lanes(kDoubles)) {
    const DoubleVector run = hn::Sub(hn::LoadU(kDoubles, others.slopes() + d), slope);
    const DoubleMask crosses = hn::Ne(run, zero);
    const DoubleVector image =
        images_of(line, others.slopes() + d, others.intercepts() + d, run, crosses);
    const DoubleMask inside =
        hn::And(crosses, hn::And(hn::Gt(image, all(range.low)), hn::Lt(image, all(range.high))));
    // The same operations as in SampledBuckets, on integers from here on.
    const DoubleVector t = hn::Sub(image, all(bucket_of.middle()));
    const DoubleVector from_end =
        hn::Trunc(hn::Mul(hn::Div(unit, hn::Add(unit, hn::Abs(t))), all(SampledBuckets::kHalf)));
    const DoubleVector bucket =
        hn::IfThenElse(hn::Lt(t, zero), from_end, hn::Sub(all(kBuckets - 1), from_end));
    const DoubleVector code =
        hn::Add(hn::Add(bucket, bucket), hn::IfThenElseZero(hn::Gt(run, zero), one));
    const DoubleVector found = hn::IfThenElse(inside, code, all(kNoCrossing));
    hn::StoreU(hn::DemoteTo(kCodes, hn::DemoteTo(kInts, found)), kCodes, codes + d);
  }
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {

HWY_EXPORT(find_row_kernel);

constexpr std::size_t kWidest = 8;  // lanes

}  // namespace

void OtherLines::clear() {
  size_ = 0;
  slopes_.clear();
  intercepts_.clear();
}

void OtherLines::add(const Line& line) {
  slopes_.push_back(line.slope);
  intercepts_.push_back(line.intercept);
  ++size_;
}

void OtherLines::pad() {
  const std::size_t padded = (size_ + kWidest - 1) / kWidest * kWidest;
  slopes_.resize(padded, 0);
  intercepts_.resize(padded, 0);
}

void find_row(const Line& line, const OtherLines& others, GridRange range,
              const SampledBuckets& bucket_of, RowCode* codes) {
  HWY_DYNAMIC_DISPATCH(find_row_kernel)(line, others, range, bucket_of, codes);
}

}  // namespace podium
#endif
