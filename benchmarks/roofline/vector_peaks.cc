#include "roofline/vector_peaks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "roofline/vector_peaks.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Words = hn::ScalableTag<std::uint64_t>;
using DoubleVector = hn::Vec<Doubles>;
constexpr Doubles kDoubles;
constexpr Words kWords;

std::uint64_t ReadWords(const std::uint64_t* words, std::size_t count) {
  const std::size_t n = hn::Lanes(kWords);
  auto a = hn::Zero(kWords), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (std::size_t i = 0; i + 8 * n <= count; i += 8 * n) {
    const std::uint64_t* const at = words + i;
    a = hn::Add(a, hn::Load(kWords, at));
    b = hn::Add(b, hn::Load(kWords, at + n));
    c = hn::Add(c, hn::Load(kWords, at + 2 * n));
    d = hn::Add(d, hn::Load(kWords, at + 3 * n));
    e = hn::Add(e, hn::Load(kWords, at + 4 * n));
    f = hn::Add(f, hn::Load(kWords, at + 5 * n));
    g = hn::Add(g, hn::Load(kWords, at + 6 * n));
    h = hn::Add(h, hn::Load(kWords, at + 7 * n));
  }
  a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  return hn::GetLane(hn::SumOfLanes(kWords, a));
}

// Twelve chains x ← step(x), more than latency times number of units of any operation.
template <class Step>
HWY_INLINE PeakRun chains(std::size_t rounds, double operations, const Step& step) {
  DoubleVector a = hn::Set(kDoubles, 1.0), b = hn::Set(kDoubles, 1.1), c = hn::Set(kDoubles, 1.2),
               d = hn::Set(kDoubles, 1.3), e = hn::Set(kDoubles, 1.4), f = hn::Set(kDoubles, 1.5),
               g = hn::Set(kDoubles, 1.6), h = hn::Set(kDoubles, 1.7), i = hn::Set(kDoubles, 1.8),
               j = hn::Set(kDoubles, 1.9), k = hn::Set(kDoubles, 2.0), l = hn::Set(kDoubles, 2.1);
  for (std::size_t round = 0; round < rounds; ++round) {
    a = step(a);
    b = step(b);
    c = step(c);
    d = step(d);
    e = step(e);
    f = step(f);
    g = step(g);
    h = step(h);
    i = step(i);
    j = step(j);
    k = step(k);
    l = step(l);
  }
  a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  a = hn::Add(a, hn::Add(hn::Add(i, j), hn::Add(k, l)));
  return {operations * static_cast<double>(rounds * kPeakChains * hn::Lanes(kDoubles)),
          hn::GetLane(hn::SumOfLanes(kDoubles, a))};
}

PeakRun MultiplyAdd(std::size_t rounds) {
  const auto factor = hn::Set(kDoubles, 0.999), term = hn::Set(kDoubles, 1e-3);
  return chains(rounds, 2, [&](DoubleVector x) HWY_ATTR { return hn::MulAdd(x, factor, term); });
}

PeakRun MultiplyAndAdd(std::size_t rounds) {
  const auto factor = hn::Set(kDoubles, 0.999), term = hn::Set(kDoubles, 1e-3);
  return chains(rounds, 2,
                [&](DoubleVector x) HWY_ATTR { return hn::Add(hn::Mul(x, factor), term); });
}

PeakRun Divide(std::size_t rounds) {
  const auto one = hn::Set(kDoubles, 1.37);
  return chains(rounds, 1, [&](DoubleVector x) HWY_ATTR { return hn::Div(one, x); });
}

PeakRun TestValues(std::size_t rounds) {
  using Floats = hn::CappedTag<float, 16>;
  using Bits = hn::Rebind<std::uint32_t, Floats>;
  constexpr Floats kFloats;
  constexpr Bits kBits;
  constexpr std::size_t kValues = 2048;
  const std::size_t n = hn::Lanes(kFloats);
  HWY_ALIGN float values[kValues];
  for (std::size_t i = 0; i < kValues; ++i) values[i] = static_cast<float>(i * 7 % kValues);
  const auto threshold = hn::Set(kFloats, 0.9F * kValues);
  const auto out = hn::Set(kBits, 1U << (rounds % 32));
  auto a = hn::Set(kBits, ~0U), b = a, c = a, d = a;
  const auto test = [&](auto word, const float* at) HWY_ATTR {
    const auto above = hn::RebindMask(kBits, hn::Gt(hn::Load(kFloats, at), threshold));
    return hn::AndNot(hn::IfThenElseZero(above, out), word);
  };
  const std::size_t passes = rounds / 100;
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < kValues; i += 4 * n) {
      a = test(a, values + i);
      b = test(b, values + i + n);
      c = test(c, values + i + 2 * n);
      d = test(d, values + i + 3 * n);
    }
  a = hn::Or(hn::Or(a, b), hn::Or(c, d));
  return {static_cast<double>(passes * kValues), static_cast<double>(hn::GetLane(a))};
}

const char* Target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(ReadWords);
HWY_EXPORT(MultiplyAdd);
HWY_EXPORT(MultiplyAndAdd);
HWY_EXPORT(Divide);
HWY_EXPORT(TestValues);
HWY_EXPORT(Target);
}  // namespace

std::uint64_t read_words(const std::uint64_t* words, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(ReadWords)(words, count);
}
PeakRun multiply_add(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(MultiplyAdd)(rounds);
}
PeakRun multiply_and_add(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(MultiplyAndAdd)(rounds);
}
PeakRun divide(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(Divide)(rounds);
}
PeakRun test_values(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(TestValues)(rounds);
}
std::string_view vector_peaks_target() {
  return HWY_DYNAMIC_DISPATCH(Target)();
}

}  // namespace podium
#endif
