// Intervention harvesting [Agarwal19]: documents that were shown at several positions have the same
// relevance at each of them, so where their clicks happened tells θ apart from relevance. All
// positions are put together by the likelihood of where, given how many:
//   ℓ(θ) = Σ_d Σ_p c_dp log π_dp,  π_dp = n_dp θ_p / Σ_k n_dk θ_k
// γ_d is not in it, and the expectation of its slope Σ_d (c_dp − C_d π_dp) under P(c) = θ_p γ_d is
// 0 at the true θ for any γ_d and any number of sessions of each document: sparse logs do not bias
// it, as they do the maximum over all γ_d (pbm). Differs from [Agarwal19], whose ratios of pairs of
// positions weigh documents without regard to their clicks.
//
// In log θ, ℓ is concave and minus its second derivative is the Laplacian Σ_d C_d (diag π − π πᵀ),
// so Newton's method finds the maximum; a step that lowers ℓ is halved. Intervals are those of log
// θ from the sandwich L⁻¹ (Σ_q g_q g_qᵀ) L⁻¹, g_q the slope of query q, and Student's t of the
// queries less one: clicks of a query may depend on each other. A prior Beta(α, β) adds α − 1
// clicks to each position.
#include <algorithm>
#include <cmath>

#include "clicks/fits.h"
#include "clicks/position_graph.h"
#include "core/math_functions.h"
#include "experiments/statistics/distributions.h"

namespace podium {
namespace {

constexpr std::size_t kHarvestChunk = 256;  // queries per task
constexpr int kNewtonSteps = 100, kNewtonHalvings = 30;
constexpr double kLongestStep = 2;  // of log θ
constexpr double kSmallestTheta = 1e-12;
constexpr double kNewtonGain = 1e-12;  // relative

struct HarvestSums {
  std::vector<double> slope, laplacian, meat;  // meat: Σ_q g_q g_qᵀ
  double likelihood = 0, queries = 0;

  void operator+=(const HarvestSums& other) {
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += other.slope[i];
    for (std::size_t i = 0; i < laplacian.size(); ++i) {
      laplacian[i] += other.laplacian[i];
      meat[i] += other.meat[i];
    }
    likelihood += other.likelihood;
    queries += other.queries;
  }
};

class HarvestLikelihood {
 public:
  HarvestLikelihood(const ClickFitting& fitting) : fitting_(fitting), n_(fitting.log.positions) {}

  HarvestSums at(const std::vector<double>& theta) const {
    const HarvestSums none{std::vector<double>(n_), std::vector<double>(n_ * n_),
                           std::vector<double>(n_ * n_)};
    HarvestSums sums = parallel_reduce(
        fitting_.pool, fitting_.log.queries(), kHarvestChunk, none,
        [&](std::size_t begin, std::size_t end) {
          HarvestSums part = none;
          std::vector<double> slope(n_), share;
          for (std::size_t q = begin; q < end; ++q) add_query(q, theta, slope, share, part);
          return part;
        },
        [](HarvestSums& total, const HarvestSums& part) { total += part; });
    const double extra = fitting_.prior.alpha - 1;
    for (std::size_t p = 0; p < n_; ++p) {
      sums.slope[p] += extra;
      sums.likelihood += extra * math::log(theta[p]);
    }
    return sums;
  }

 private:
  void add_query(std::size_t q, const std::vector<double>& theta, std::vector<double>& slope,
                 std::vector<double>& share, HarvestSums& sums) const {
    const ClickLog& log = fitting_.log;
    std::fill(slope.begin(), slope.end(), 0.0);
    bool tells = false;
    for (std::size_t d = log.query_begin[q]; d < log.query_begin[q + 1]; ++d) {
      const auto cells = log.cells_of(d);
      double clicks = 0, exposure = 0;
      share.clear();
      for (const ClickCell& cell : cells) {
        clicks += cell.clicked;
        share.push_back(cell.shown * theta[cell.position - 1]);
        exposure += share.back();
      }
      if (cells.size() < 2 || !(clicks > 0)) continue;
      tells = true;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        share[i] /= exposure;
        slope[cells[i].position - 1] += cells[i].clicked - clicks * share[i];
        if (cells[i].clicked > 0) sums.likelihood += cells[i].clicked * math::log(share[i]);
      }
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t at = (cells[i].position - 1) * n_;
        sums.laplacian[at + cells[i].position - 1] += clicks * share[i];
        for (std::size_t j = 0; j < cells.size(); ++j)
          sums.laplacian[at + cells[j].position - 1] -= clicks * share[i] * share[j];
      }
    }
    if (!tells) return;
    sums.queries += 1;
    for (std::size_t i = 0; i < n_; ++i) {
      sums.slope[i] += slope[i];
      for (std::size_t j = 0; slope[i] != 0 && j < n_; ++j)
        sums.meat[i * n_ + j] += slope[i] * slope[j];
    }
  }

  const ClickFitting& fitting_;
  std::size_t n_;
};

struct Harvested {
  std::vector<double> theta, objective;
  HarvestSums sums;
};

Harvested harvest(const ClickFitting& fitting, const Anchors& anchors) {
  const HarvestLikelihood likelihood(fitting);
  Harvested now{anchors.values, {}, {}};
  now.sums = likelihood.at(now.theta);
  now.objective.push_back(now.sums.likelihood);
  for (int step = 0; step < kNewtonSteps; ++step) {
    std::vector<double> move = solve_laplacian(now.sums.laplacian, now.sums.slope, anchors.fixed).x;
    HarvestSums next;
    std::vector<double> theta;
    bool better = false;
    for (int halving = 0; halving < kNewtonHalvings && !better; ++halving) {
      theta = now.theta;
      for (std::size_t p = 0; p < theta.size(); ++p) {
        if (anchors.fixed[p]) continue;
        move[p] = std::clamp(move[p], -kLongestStep, kLongestStep);
        theta[p] = std::max(theta[p] * math::exp(move[p]), kSmallestTheta);
        move[p] /= 2;
      }
      next = likelihood.at(theta);
      better = next.likelihood > now.sums.likelihood;
    }
    if (!better) break;
    const double gain = next.likelihood - now.sums.likelihood;
    now.theta = std::move(theta);
    now.sums = std::move(next);
    now.objective.push_back(now.sums.likelihood);
    if (gain <= kNewtonGain * std::abs(now.sums.likelihood)) break;
  }
  return now;
}

// The variance of log θ_p: row p of L⁻¹, twice around the sums of g gᵀ.
std::vector<ProbabilityInterval> sandwich_intervals(const Harvested& fit, const Anchors& anchors) {
  const std::size_t n = fit.theta.size();
  const HarvestSums& sums = fit.sums;
  const double queries = std::max(sums.queries, 2.0);
  const double quantile = student_t_critical(0.05, queries - 1);
  std::vector<ProbabilityInterval> intervals;
  for (std::size_t p = 0; p < n; ++p) {
    std::vector<double> unit(n, 0.0);
    unit[p] = 1;
    const LaplacianSolution row = solve_laplacian(sums.laplacian, unit, anchors.fixed);
    double variance = anchors.fixed[p] ? 0 : row.variance[p] < 1e300 ? 0 : row.variance[p];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) variance += row.x[i] * sums.meat[i * n + j] * row.x[j];
    const double spread = quantile * std::sqrt(variance * queries / (queries - 1));
    intervals.push_back({std::min(1.0, fit.theta[p] * math::exp(-spread)),
                         std::min(1.0, fit.theta[p] * math::exp(spread))});
  }
  return intervals;
}

}  // namespace

void fit_harvest(const ClickFitting& fitting, const Anchors& anchors, ClickModel& model) {
  Harvested fit = harvest(fitting, anchors);
  model.intervals = sandwich_intervals(fit, anchors);
  model.objective = std::move(fit.objective);
  for (double& theta : fit.theta) theta = std::min(1.0, theta);
  fit_relevance(fitting, fit.theta, model);
}

}  // namespace podium
