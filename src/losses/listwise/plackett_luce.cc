#include "losses/listwise/plackett_luce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "losses/listwise/log_sum.h"

namespace podium {
namespace {

struct Block {
  std::size_t begin, end, stages;  // stages: how many of them count
  double weight;                   // mean over its documents
  double own_part(std::size_t stage) const {
    return 1 - static_cast<double>(stage) / static_cast<double>(end - begin);
  }
};

std::vector<Block> lay_out(TiedOrder order, std::size_t stages, std::span<const float> weights) {
  std::vector<Block> blocks;
  std::size_t begin = 0;
  for (const std::uint32_t end : order.ends) {
    Block block{begin, end, std::min<std::size_t>(end, stages) - std::min(begin, stages), 1};
    if (!weights.empty()) {
      block.weight = 0;
      for (std::size_t at = begin; at < end; ++at) block.weight += weights[order.documents[at]];
      block.weight /= static_cast<double>(end - begin);
    }
    blocks.push_back(block);
    begin = end;
  }
  return blocks;
}

// log D of every stage that counts.
std::vector<double> stage_sums(TiedOrder order, std::span<const Block> blocks,
                               std::span<const double> scores) {
  std::vector<double> sums(order.documents.size());
  LogSum lower;
  std::size_t at = order.documents.size();
  for (; !blocks.empty() && at > blocks.back().end; --at)
    lower.add(scores[order.documents[at - 1]]);
  for (std::size_t b = blocks.size(); b-- > 0;) {
    LogSum own;
    for (; at > blocks[b].begin; --at) own.add(scores[order.documents[at - 1]]);
    for (std::size_t r = 0; r < blocks[b].stages; ++r) {
      LogSum left = lower;
      left.add(own.top, own.sum * blocks[b].own_part(r));
      sums[blocks[b].begin + r] = left.log();
    }
    lower.add(own.top, own.sum);
  }
  return sums;
}

// Σ_t weight_t part_t exp(s − log D_t) and the same with squares: the contribution of the stages in
// which a document with score s was still present.
struct Pull {
  LogSum once, squares;
  void add(double log_sum, double weight, double part) {
    if (!(weight * part > 0)) return;
    once.add(-log_sum, weight * part);
    squares.add(-2 * log_sum, weight * part * part);
  }
  double first(double score) const { return once.times_exp(score); }
  double second(double score) const { return squares.times_exp(2 * score); }
};

}  // namespace

double add_plackett_luce(TiedOrder order, std::size_t stages, std::span<const double> scores,
                         std::span<const float> weights, double scale, Derivatives out) {
  const std::vector<Block> blocks = lay_out(order, stages, weights);
  const std::vector<double> sums = stage_sums(order, blocks, scores);
  double value = 0;
  Pull earlier;
  const auto put = [&](std::uint32_t i, const Pull& pull) {
    const double first = pull.first(scores[i]);
    out.first[i] += scale * first;
    if (!out.second.empty()) out.second[i] += scale * std::max(0.0, first - pull.second(scores[i]));
  };
  std::size_t at = 0;
  for (const Block& block : blocks) {
    Pull pull = earlier;
    for (std::size_t r = 0; r < block.stages; ++r) {
      const double log_sum = sums[block.begin + r];
      pull.add(log_sum, block.weight, block.own_part(r));
      earlier.add(log_sum, block.weight, 1);
    }
    const double share =
        static_cast<double>(block.stages) / static_cast<double>(block.end - block.begin);
    double log_sums = 0;
    for (std::size_t r = 0; r < block.stages; ++r)
      log_sums += (sums[block.begin + r] - scores[order.documents[block.begin]]);
    value += block.weight * log_sums;
    for (; at < block.end; ++at) {
      const std::uint32_t i = order.documents[at];
      const double drawn = share * (weights.empty() ? 1.0 : weights[i]);
      value -= drawn * (scores[i] - scores[order.documents[block.begin]]);
      put(i, pull);
      out.first[i] -= scale * drawn;
    }
  }
  for (; at < order.documents.size(); ++at) put(order.documents[at], earlier);
  return scale * value;
}

}  // namespace podium
