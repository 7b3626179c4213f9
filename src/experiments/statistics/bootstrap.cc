// Bootstrap intervals of the mean difference: queries are drawn with replacement, as many as there
// are, and the interval comes from the sorted means of the resamples.
//   percentile: at the levels α/2 and 1 − α/2;
//   BCa: at Φ(z0 + (z0 + z) / (1 − a (z0 + z))) for z = Φ⁻¹(level), where z0 = Φ⁻¹(share of the
//   means below the observed one) and a is a sixth of the skewness of the mean. [Efron87]
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/random.h"
#include "experiments/statistics/distributions.h"
#include "experiments/statistics/moments.h"
#include "experiments/statistics/no_result.h"
#include "podium/error.h"
#include "podium/significance.h"

namespace podium {
namespace {

constexpr std::size_t kChunk = 16;  // resamples per task

void check(double confidence, std::size_t resamples) {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorCode::usage,
                fmt::format("confidence {} is not between 0 and 1 (0.95 is usual)", confidence));
  if (static_cast<double>(resamples) * (1 - confidence) / 2 < 1)
    throw Error(ErrorCode::usage,
                fmt::format("{} resamples are too few for a bootstrap interval of confidence {}; "
                            "10000 is usual",
                            resamples, confidence));
}

std::vector<double> sorted_means(std::span<const double> values, std::size_t resamples,
                                 Context& context) {
  const std::uint64_t seed = mix(context.seed, hash_text("bootstrap"));
  std::vector<double> means(resamples);
  parallel_for(context.pool, resamples, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      Random random(seed, r);
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) sum += values[random.below(values.size())];
      means[r] = sum / static_cast<double>(values.size());
    }
  });
  std::sort(means.begin(), means.end());
  return means;
}

// The level-quantile: position level · (B + 1), counted from 1, interpolated.
double quantile(std::span<const double> sorted, double level) {
  const auto last = static_cast<double>(sorted.size() - 1);
  const double position = std::clamp(level * static_cast<double>(sorted.size() + 1) - 1, 0.0, last);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

class BcaLevels {
 public:
  BcaLevels(std::span<const double> values, const Moments& moments, std::span<const double> means) {
    const auto [low, high] = std::equal_range(means.begin(), means.end(), moments.mean);
    const auto b = static_cast<double>(means.size());
    const double below =
        static_cast<double>(low - means.begin()) + 0.5 * static_cast<double>(high - low);
    bias_ = normal_quantile(std::clamp(below / b, 1 / (b + 1), b / (b + 1)));
    double squares = 0, cubes = 0;
    for (const double v : values) {
      const double deviation = (v - moments.mean) / moments.deviation;
      squares += deviation * deviation;
      cubes += deviation * deviation * deviation;
    }
    acceleration_ = cubes / (6 * math::pow(squares, 1.5));
  }

  double operator()(double level) const {
    const double z = bias_ + normal_quantile(level);
    return normal_cdf(bias_ + z / std::max(1 - acceleration_ * z, 1e-9));
  }

 private:
  double bias_ = 0, acceleration_ = 0;
};

}  // namespace

BootstrapInterval bootstrap_interval(const PairedDifferences& differences, Bootstrap kind,
                                     double confidence, std::size_t resamples, Context& context) {
  check(confidence, resamples);
  BootstrapInterval result;
  result.reason = too_few(differences, 2);
  if (!result.reason.empty()) return result;
  const std::vector<double>& values = differences.values;
  const Moments moments = moments_of(values);
  if (moments.deviation <= differences.resolution) {
    result.interval = Interval{moments.mean, moments.mean};
    return result;
  }
  const std::vector<double> means = sorted_means(values, resamples, context);
  double low = (1 - confidence) / 2, high = 1 - low;
  if (kind == Bootstrap::bca) {
    const BcaLevels levels(values, moments, means);
    low = levels(low);
    high = levels(high);
  }
  result.interval = Interval{quantile(means, low), quantile(means, high)};
  return result;
}

}  // namespace podium
