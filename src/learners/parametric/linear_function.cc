#include <algorithm>
#include <cmath>
#include <numeric>

#include "learners/parametric/scoring_function.h"
#include "models/linear/linear.h"

namespace podium {
namespace {

class LinearFunction final : public ScoringFunction {
 public:
  LinearFunction(const Dataset& train, Bias bias, const Linear* start, Context& context)
      : has_bias_(bias == Bias::fitted), features_(train.features()) {
    const std::vector<double> ones(train.documents(), 1.0);
    const auto sums = weighted_sum(train, ones, context);
    const auto squares = squares_within(train, ones, context);
    auto count = static_cast<std::int64_t>(train.documents());
    context.comm.all_reduce_sum(std::span(&count, 1));
    for (std::size_t f = 0; f < features_; ++f) {
      const double mean = sums[f] / static_cast<double>(count);
      const double variance = squares[f] / static_cast<double>(count);
      const bool constant = !(variance > 1e-12 * mean * mean);  // only rounding errors
      mean_.push_back(constant ? 0.0 : mean);
      factor_.push_back(constant ? 0.0 : 1 / std::sqrt(variance));
    }
    start_.resize(parameters());
    if (!start) return;
    double bias_here = start->bias;
    for (std::size_t f = 0; f < features_; ++f) {
      if (!(factor_[f] > 0)) continue;
      start_[f] = start->weights[f] / factor_[f];
      bias_here += start->weights[f] * mean_[f];
    }
    if (has_bias_) start_.back() = bias_here;
  }

  std::size_t parameters() const override { return features_ + has_bias_; }
  std::vector<double> start(std::uint64_t) const override { return start_; }
  std::vector<double> decay_mask() const override {
    std::vector<double> mask(parameters(), 1.0);
    if (has_bias_) mask.back() = 0;
    return mask;
  }

  void set(std::span<const double> parameters) override { linear_ = raw(parameters); }
  std::unique_ptr<Scratch> make_scratch() const override {
    auto kept = std::make_unique<Kept>();
    kept->zeros.resize(features_);
    return kept;
  }
  void forward(const Rows& rows, std::span<double> scores, Scratch&) const override {
    score_rows(linear_, rows, scores);
  }
  // The slopes times the original features, followed by the slopes.
  void backward(const Rows& rows, std::span<const double> slope, Scratch& scratch,
                OrderFreeSums& sums) const override {
    add_weighted(rows, slope, static_cast<Kept&>(scratch).zeros, sums);
    sums.add(features_, std::accumulate(slope.begin(), slope.end(), 0.0));
  }
  std::size_t sums() const override { return features_ + 1; }
  std::vector<double> pull_back(std::vector<double> sum) const override {
    for (std::size_t f = 0; f < features_; ++f)
      sum[f] = (sum[f] - mean_[f] * sum.back()) * factor_[f];
    if (!has_bias_) sum.pop_back();
    return sum;
  }

  Model model(std::span<const double> parameters) const override { return raw(parameters); }

 private:
  struct Kept final : Scratch {
    std::vector<double> zeros;
  };

  Linear raw(std::span<const double> parameters) const {
    Linear out{std::vector<double>(features_), has_bias_ ? parameters.back() : 0.0};
    for (std::size_t f = 0; f < features_; ++f) {
      out.weights[f] = parameters[f] * factor_[f];
      if (has_bias_) out.bias -= out.weights[f] * mean_[f];
    }
    return out;
  }

  bool has_bias_;
  std::size_t features_;
  std::vector<double> mean_, factor_, start_;
  Linear linear_;
};

}  // namespace

std::unique_ptr<ScoringFunction> linear_function(const Dataset& train, Bias bias,
                                                 const Linear* start, Context& context) {
  return std::make_unique<LinearFunction>(train, bias, start, context);
}

}  // namespace podium
