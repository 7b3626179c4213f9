#include "learners/direct_search/plackett_luce_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kSampledQueryChunk = 64;
constexpr int kMostSteps = 60;
constexpr double kTolerance = 1e-4;  // of the interval's width

// Σ exp(s), Σ a exp(s) and Σ a² exp(s), divided by exp(top).
struct Moments {
  double top = -std::numeric_limits<double>::infinity();
  double zero = 0, one = 0, two = 0;

  void add(const Moments& other, double part) {
    if (!(other.zero > 0)) return;
    if (other.top > top) scale_to(other.top);
    const double factor = part * math::exp(other.top - top);
    zero += factor * other.zero;
    one += factor * other.one;
    two += factor * other.two;
  }
  double mean() const { return one / zero; }
  double variance() const { return std::max(0.0, two / zero - mean() * mean()); }

 private:
  void scale_to(double new_top) {
    const double factor = zero > 0 ? math::exp(top - new_top) : 0;
    top = new_top;
    zero *= factor;
    one *= factor;
    two *= factor;
  }
};

struct ExactSlope {
  ExactSum first, second;
};

}  // namespace

PlackettLucePoint::Slope PlackettLucePoint::slope_of_query(std::size_t q,
                                                           std::span<const double> base,
                                                           std::span<const double> direction,
                                                           double alpha) const {
  const auto documents = blocks_.documents(q);
  const auto ends = blocks_.ends(q);
  if (documents.size() < 2 || ends.empty()) return {};
  const std::size_t at = data_.begin(q);
  const auto moments_of = [&](std::size_t begin, std::size_t end) {
    Moments block;
    for (std::size_t k = begin; k < end; ++k)
      block.top =
          std::max(block.top, base[at + documents[k]] + alpha * direction[at + documents[k]]);
    for (std::size_t k = begin; k < end; ++k) {
      const double a = direction[at + documents[k]];
      const double z = math::exp(base[at + documents[k]] + alpha * a - block.top);
      block.zero += z;
      block.one += z * a;
      block.two += z * a * a;
    }
    return block;
  };
  Slope slope;
  Moments lower = moments_of(ends.back(), documents.size());
  for (std::size_t b = ends.size(); b-- > 0;) {
    const std::size_t begin = b > 0 ? ends[b - 1] : 0, end = ends[b];
    const Moments own = moments_of(begin, end);
    const std::size_t stages = std::min(end, places_) - std::min(begin, places_);
    if (stages > 0) {
      const double size = static_cast<double>(end - begin);
      double drawn = 0;
      for (std::size_t k = begin; k < end; ++k) drawn += direction[at + documents[k]];
      slope.first += drawn * static_cast<double>(stages) / size;
      for (std::size_t r = 0; r < stages; ++r) {
        Moments left = lower;
        left.add(own, 1 - static_cast<double>(r) / size);
        slope.first -= left.mean();
        slope.second -= left.variance();
      }
    }
    lower.add(own, 1);
  }
  const double weight = data_.query_weight(q);
  return {weight * slope.first, weight * slope.second};
}

PlackettLucePoint::Slope PlackettLucePoint::slope(std::span<const double> base,
                                                  std::span<const double> direction, double alpha,
                                                  Context& context) const {
  const ExactSlope sum = parallel_reduce(
      context.pool, data_.queries(), kSampledQueryChunk, ExactSlope{},
      [&](std::size_t begin, std::size_t end) {
        ExactSlope part;
        for (std::size_t q = begin; q < end; ++q) {
          const Slope one = slope_of_query(q, base, direction, alpha);
          part.first += one.first;
          part.second += one.second;
        }
        return part;
      },
      [](ExactSlope& all, const ExactSlope& part) {
        all.first += part.first;
        all.second += part.second;
      });
  return {sum_over_ranks(sum.first, context.comm), sum_over_ranks(sum.second, context.comm)};
}

double PlackettLucePoint::best(std::span<const double> base, std::span<const double> direction,
                               double low, double high, double start, Context& context) const {
  const double tolerance = kTolerance * (high - low);
  bool rises_at_low = false, falls_at_high = false;  // then the maximum is not at that end
  double x = std::clamp(start, low, high);
  for (int step = 0; step < kMostSteps && high - low > tolerance; ++step) {
    const Slope here = slope(base, direction, x, context);
    if (!(std::abs(here.first) > 0)) return x;
    const bool rises = here.first > 0;
    (rises ? low : high) = x;
    (rises ? rises_at_low : falls_at_high) = true;
    double next = x - here.first / here.second;
    if (!(next > low && next < high)) {
      bool& turns = rises ? falls_at_high : rises_at_low;
      const double end = rises ? high : low;
      if (!turns && (slope(base, direction, end, context).first > 0) == rises) return end;
      turns = true;
      next = low + (high - low) / 2;
    }
    if (std::abs(next - x) <= tolerance) return next;
    x = next;
  }
  return x;
}

}  // namespace podium
