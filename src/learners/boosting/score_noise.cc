#include "learners/boosting/score_noise.h"

#include "core/math_functions.h"
#include "core/random.h"
#include "trees/feature_sample.h"

namespace podium {
namespace {

constexpr std::uint64_t kNoiseStream = 0x6E6F697365;  // "noise"

// The quantile of the Gumbel distribution at a number in (0, 1) that a hash chooses.
double gumbel(std::uint64_t hash) {
  const double u = (static_cast<double>(hash >> 12) + 0.5) * 0x1.0p-52;
  return -math::log(-math::log(u));
}

}  // namespace

ScoreNoise::ScoreNoise(const Dataset& data, double scale, std::int64_t draws, Context& context)
    : scale_(scale), draws_(draws), keys_(document_keys(data, context)) {}

void ScoreNoise::perturb(std::int64_t round, std::int64_t draw, std::size_t begin,
                         std::span<const double> scores, std::span<double> out) const {
  const std::uint64_t stream =
      mix(mix(kNoiseStream, static_cast<std::uint64_t>(round)), static_cast<std::uint64_t>(draw));
  for (std::size_t i = 0; i < scores.size(); ++i)
    out[i] = scores[i] + scale_ * gumbel(mix(stream, keys_[begin + i]));
}

}  // namespace podium
