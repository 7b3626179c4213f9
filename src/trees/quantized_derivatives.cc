#include "trees/quantized_derivatives.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/random.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kRoundingStream = 0x726F756E64;  // "round": a separate random stream
constexpr std::size_t kRoundingChunk = 8192;
constexpr double kSmallest = 1e-280;  // if all are below, they count as 0
// Keeps the product with the largest derivative from being rounded above its bound.
constexpr double kBelowOne = 1 - 0x1.0p-40;

struct Extent {
  double first = 0;  // largest |first|
  double second = 0;
  double smallest_second = std::numeric_limits<double>::infinity();
  std::uint64_t wrong_first = 0;   // not finite
  std::uint64_t wrong_second = 0;  // not finite or negative

  void add(double g, double h) {
    wrong_first += !std::isfinite(g);
    wrong_second += !(h >= 0 && h <= std::numeric_limits<double>::max());
    first = std::max(first, std::abs(g));
    second = std::max(second, h);
    smallest_second = std::min(smallest_second, h);
  }
  void add(const Extent& other) {
    first = std::max(first, other.first);
    second = std::max(second, other.second);
    smallest_second = std::min(smallest_second, other.smallest_second);
    wrong_first += other.wrong_first;
    wrong_second += other.wrong_second;
  }
};

template <class Visit>
void for_each(const DocumentSample& sample, std::size_t begin, std::size_t end, Visit&& visit) {
  if (sample) {
    for (std::size_t i = begin; i < end; ++i) visit((*sample)[i]);
  } else {
    for (std::size_t d = begin; d < end; ++d) visit(d);
  }
}

Extent extent_of(std::span<const double> first, std::span<const double> second,
                 const DocumentSample& sample, Context& context) {
  const std::size_t count = sample ? sample->size() : first.size();
  const auto combine = [](Extent& total, const Extent& part) { total.add(part); };
  const Extent mine = parallel_reduce(
      context.pool, count, kRoundingChunk, Extent{},
      [&](std::size_t begin, std::size_t end) {
        Extent part;
        for_each(sample, begin, end,
                 [&](std::size_t d) { part.add(first[d], second.empty() ? 1.0 : second[d]); });
        return part;
      },
      combine);
  Extent all;
  for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(&mine, 1)))) {
    Extent part;
    std::memcpy(&part, bytes.data(), sizeof(part));
    all.add(part);
  }
  return all;
}

void check(const Extent& extent) {
  if (extent.wrong_first)
    throw Error(ErrorCode::training,
                "a first derivative of the loss is not finite: lower the learning rate, or look "
                "for extreme labels, weights or initial scores");
  if (extent.wrong_second)
    throw Error(ErrorCode::training,
                "a second derivative of the loss is negative or not finite: lower the learning "
                "rate, or look for extreme labels, weights or initial scores");
}

}  // namespace

void QuantizedDerivatives::assign(std::span<const double> first, std::span<const double> second,
                                  const DocumentSample& sample, std::span<const std::uint32_t> keys,
                                  double l2, std::uint64_t round, Context& context) {
  const Extent extent = extent_of(first, second, sample, context);
  check(extent);
  const bool any_first = extent.first > kSmallest, any_second = extent.second > kSmallest;
  const bool equal_second =
      any_second && extent.smallest_second == extent.second && extent.second > l2 * 0x1.0p-60;
  first_unit_ = any_first ? extent.first / kMostFirst / kBelowOne : 0;
  second_unit_ = 1;
  if (equal_second)
    second_unit_ = extent.second;
  else if (any_second)
    second_unit_ = std::max(extent.second / kMostSecond / kBelowOne, l2 * 0x1.0p-60);
  const double first_scale = any_first ? 1 / first_unit_ : 0;
  const double second_scale = any_second && !equal_second ? 1 / second_unit_ : 0;
  const std::int64_t second_base = equal_second ? 1 : 0;

  words_.resize(first.size());
  const auto shift = static_cast<std::uint32_t>(mix(mix(context.seed, kRoundingStream), round));
  const auto quantize = [&](std::size_t d) {
    // Two random numbers in [0, 1) of 16 bits each; adding them and truncating is stochastic
    // rounding.
    const std::uint32_t draw = keys[d] + shift;
    const double up = (draw >> 16) * 0x1.0p-16, other_up = (draw & 0xFFFF) * 0x1.0p-16;
    const double g = first[d] * first_scale + up + (kMostFirst + 1);
    const double h = (second.empty() ? 1.0 : second[d]) * second_scale + other_up;
    words_[d] = pack(static_cast<std::int64_t>(g) - (kMostFirst + 1),
                     static_cast<std::int64_t>(h) + second_base);
  };
  parallel_for(context.pool, sample ? sample->size() : first.size(), kRoundingChunk,
               [&](std::size_t begin, std::size_t end) { for_each(sample, begin, end, quantize); });
}

}  // namespace podium
