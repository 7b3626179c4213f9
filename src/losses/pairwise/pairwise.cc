#include "losses/pairwise/pairwise.h"

#include <algorithm>
#include <array>

#include "losses/lambda/pair_weights.h"

namespace podium {
namespace {

constexpr std::size_t kArrays = 6;

struct Range {
  double low, high;
};

// Whole blocks at a time, lane by lane.
Range range_of(std::span<const double> scores) {
  std::array<double, kPairBlock> low, high;
  std::copy_n(scores.begin(), kPairBlock, low.begin());
  high = low;
  for (std::size_t at = kPairBlock; at < scores.size(); at += kPairBlock)
    for (std::size_t k = 0; k < kPairBlock; ++k) {
      const double score = scores[at + k];
      low[k] = score < low[k] ? score : low[k];
      high[k] = score > high[k] ? score : high[k];
    }
  return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

}  // namespace

PairArrays::PairArrays(std::span<const std::uint32_t> order, std::span<const float> labels,
                       std::span<const double> scores, double sigma)
    : order_(order), sigma_(sigma), padded_(block_end(order.size())), storage_(kArrays * padded_) {
  const std::span<double> score = part(0), grade = part(1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    score[place] = sigma * scores[order[place]];
    grade[place] = labels[order[place]];
  }
  for (std::size_t place = order.size(); place < padded_; ++place) {
    score[place] = score[order.size() - 1];
    grade[place] = grade[order.size() - 1];
  }
}

const double* PairArrays::powers() {
  const auto [low, high] = range_of(scores());
  if (!(high - low <= 2 * kLargestExponent)) return nullptr;
  const std::span<double> power = part(5);
  pair_kernels().powers(scores().data(), padded_, low + 0.5 * (high - low), power.data());
  return power.data();
}

void PairArrays::scatter(double scale, Derivatives out) const {
  const std::span<const double> first = part(3), second = part(4);
  const double by_first = scale * sigma_, by_second = scale * sigma_ * sigma_;
  for (std::size_t place = 0; place < order_.size(); ++place)
    out.first[order_[place]] = by_first * first[place];
  if (out.second.empty()) return;
  for (std::size_t place = 0; place < order_.size(); ++place)
    out.second[order_[place]] = by_second * second[place];
}

}  // namespace podium
