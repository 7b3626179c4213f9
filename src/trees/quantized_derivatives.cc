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
constexpr std::size_t kRoundingChunk = 4096;
constexpr double kSmallest = 1e-280;  // if all are below, they count as 0
// Keeps the product with the largest derivative from being rounded above its bound.
constexpr double kBelowOne = 1 - 0x1.0p-40;

template <class Visit>
void for_each(const DocumentSample& sample, std::size_t begin, std::size_t end, Visit&& visit) {
  if (sample) {
    for (std::size_t i = begin; i < end; ++i) visit((*sample)[i]);
  } else {
    for (std::size_t d = begin; d < end; ++d) visit(d);
  }
}

DerivativeExtent extent_of(std::span<const double> first, std::span<const double> second,
                           const DocumentSample& sample, Context& context) {
  const std::size_t count = sample ? sample->size() : first.size();
  return parallel_reduce(
      context.pool, count, kRoundingChunk, DerivativeExtent{},
      [&](std::size_t begin, std::size_t end) {
        DerivativeExtent part;
        for_each(sample, begin, end,
                 [&](std::size_t d) { part.add(first[d], second.empty() ? 1.0 : second[d]); });
        return part;
      },
      [](DerivativeExtent& total, const DerivativeExtent& part) { total.add(part); });
}

void check(const DerivativeExtent& extent) {
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

void DerivativeExtent::add(double g, double h) {
  ++documents;
  wrong_first += !std::isfinite(g);
  wrong_second += !(h >= 0 && h <= std::numeric_limits<double>::max());
  first = std::max(first, std::abs(g));
  second = std::max(second, h);
  smallest_second = std::min(smallest_second, h);
}

void DerivativeExtent::add(const DerivativeExtent& other) {
  documents += other.documents;
  first = std::max(first, other.first);
  second = std::max(second, other.second);
  smallest_second = std::min(smallest_second, other.smallest_second);
  wrong_first += other.wrong_first;
  wrong_second += other.wrong_second;
}

DerivativeExtent extent_over_ranks(const DerivativeExtent& mine, Communicator& comm) {
  DerivativeExtent all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(&mine, 1)))) {
    DerivativeExtent part;
    std::memcpy(&part, bytes.data(), sizeof(part));
    all.add(part);
  }
  check(all);
  return all;
}

DerivativeRounding DerivativeRounding::of(const DerivativeExtent& extent, double l2,
                                          std::uint64_t seed, std::uint64_t round) {
  const bool any_first = extent.first > kSmallest, any_second = extent.second > kSmallest;
  const bool equal_second =
      any_second && extent.smallest_second == extent.second && extent.second > l2 * 0x1.0p-60;
  DerivativeRounding rounding;
  rounding.first_unit = any_first ? extent.first / kMostFirst / kBelowOne : 0;
  if (equal_second)
    rounding.second_unit = extent.second;
  else if (any_second)
    rounding.second_unit = std::max(extent.second / kMostSecond / kBelowOne, l2 * 0x1.0p-60);
  rounding.first_scale = any_first ? 1 / rounding.first_unit : 0;
  rounding.second_scale = any_second && !equal_second ? 1 / rounding.second_unit : 0;
  rounding.second_base = equal_second ? 1 : 0;
  rounding.shift = static_cast<std::uint32_t>(mix(mix(seed, kRoundingStream), round));
  return rounding;
}

void QuantizedDerivatives::assign(std::span<const double> first, std::span<const double> second,
                                  const DocumentSample& sample, std::span<const std::uint32_t> keys,
                                  double l2, std::uint64_t round, Context& context) {
  extent_ = extent_over_ranks(extent_of(first, second, sample, context), context.comm);
  rounding_ = DerivativeRounding::of(extent_, l2, context.seed, round);
  words_.resize(first.size());
  const auto quantize = [&, rounding = rounding_](std::size_t d) {
    words_[d] = rounding.word(first[d], second.empty() ? 1.0 : second[d], keys[d]);
  };
  parallel_for(context.pool, sample ? sample->size() : first.size(), kRoundingChunk,
               [&](std::size_t begin, std::size_t end) { for_each(sample, begin, end, quantize); });
}

}  // namespace podium
