// pbm, harvest, ctr-rank and ctr-doc: models of cells.
//
// Harvesting [Agarwal19]: documents shown at both k and k′ have the same relevance at both, so the
// ratio of their click-through rates, weighted alike by w_d = n_k n_k′ / (n_k + n_k′), estimates
// θ_k / θ_k′. All pairs are put together by least squares on log θ, weighted by the inverse variance
// 1 / (1/C_k + 1/C_k′) of a log ratio, C the clicks at each of the two positions. Its intervals are
// a bootstrap over queries.
#include <algorithm>
#include <cmath>

#include "clicks/fits.h"
#include "clicks/position_graph.h"
#include "core/math_functions.h"
#include "core/random.h"

namespace podium {
namespace {

std::vector<StateCell> cells_by_position(const ClickLog& log) {
  std::vector<StateCell> cells;
  cells.reserve(log.cells.size());
  for (const ClickCell& cell : log.cells)
    cells.push_back({cell.position - 1, cell.shown, cell.clicked});
  return cells;
}

// Pairs of positions (k, k′), k < k′, as sums over the documents shown at both.
struct HarvestedPair {
  double rate_k = 0, rate_l = 0;      // Σ w c/n
  double clicks_k = 0, clicks_l = 0;  // Σ c
};

// `times`: how often each query counts; empty: once.
std::vector<HarvestedPair> harvest_pairs(const ClickLog& log, std::span<const double> times) {
  const std::size_t n = log.positions;
  std::vector<HarvestedPair> pairs(n * n);
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const double count = times.empty() ? 1 : times[log.query_of[d]];
    if (count == 0) continue;
    const auto cells = log.cells_of(d);
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (std::size_t j = i + 1; j < cells.size(); ++j) {
        const ClickCell &k = cells[i], &l = cells[j];
        if (!(k.shown > 0 && l.shown > 0)) continue;
        HarvestedPair& pair = pairs[(k.position - 1) * n + l.position - 1];
        const double weight = count * k.shown * l.shown / (k.shown + l.shown);
        pair.rate_k += weight * k.clicked / k.shown;
        pair.rate_l += weight * l.clicked / l.shown;
        pair.clicks_k += count * k.clicked;
        pair.clicks_l += count * l.clicked;
      }
  }
  return pairs;
}

// Least squares on log θ.
std::vector<double> harvested_theta(const ClickLog& log, const Anchors& anchors,
                                    std::span<const double> times) {
  const std::size_t n = log.positions;
  const std::vector<HarvestedPair> pairs = harvest_pairs(log, times);
  std::vector<double> laplacian(n * n, 0.0), right(n, 0.0), theta(n, 0.0);
  for (std::size_t p = 0; p < n; ++p)
    if (anchors.fixed[p]) theta[p] = math::log(anchors.values[p]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t l = k + 1; l < n; ++l) {
      const HarvestedPair& pair = pairs[k * n + l];
      if (!(pair.rate_k > 0 && pair.rate_l > 0)) continue;
      const double weight = 1 / (1 / pair.clicks_k + 1 / pair.clicks_l);
      // log θ_k − log θ_l, without what is known of anchors.
      const double ratio = math::log(pair.rate_k / pair.rate_l) - theta[k] + theta[l];
      laplacian[k * n + k] += weight;
      laplacian[l * n + l] += weight;
      laplacian[k * n + l] -= weight;
      laplacian[l * n + k] -= weight;
      right[k] += weight * ratio;
      right[l] -= weight * ratio;
    }
  const LaplacianSolution solution =
      solve_laplacian(std::move(laplacian), std::move(right), anchors.fixed);
  for (std::size_t p = 0; p < n; ++p) theta[p] = std::min(1.0, math::exp(theta[p] + solution.x[p]));
  return theta;
}

// Percentiles over queries drawn with replacement.
std::vector<ProbabilityInterval> harvest_intervals(const ClickLog& log, const Anchors& anchors,
                                                   ThreadPool& pool) {
  constexpr std::size_t kResamples = 200, kTail = 5;  // 2.5 %
  std::vector<std::vector<double>> theta(kResamples);
  pool.run(kResamples, [&](std::size_t r) {
    Random random(1, r);
    std::vector<double> times(log.queries(), 0.0);
    for (std::size_t q = 0; q < times.size(); ++q) times[random.below(times.size())] += 1;
    theta[r] = harvested_theta(log, anchors, times);
  });
  std::vector<ProbabilityInterval> intervals;
  std::vector<double> values(kResamples);
  for (std::size_t p = 0; p < log.positions; ++p) {
    for (std::size_t r = 0; r < kResamples; ++r) values[r] = theta[r][p];
    std::sort(values.begin(), values.end());
    intervals.push_back({values[kTail - 1], values[kResamples - kTail]});
  }
  return intervals;
}

}  // namespace

void count_exposure(const ClickLog& log, ClickModel& model) {
  model.exposure.assign(log.documents(), 0);
  for (const ClickCell& cell : log.cells)
    model.exposure[cell.document] += cell.shown * model.propensities[cell.position - 1];
}

void fit_pbm(const ClickFitting& fitting, const Anchors& anchors, ClickModel& model) {
  const ClickLog& log = fitting.log;
  const std::vector<StateCell> cells = cells_by_position(log);
  ExaminationProblem problem{cells, log.cell_begin, anchors.values, anchors.fixed, fitting.prior};
  for (std::size_t p = 0; p < problem.start.size(); ++p)
    if (!problem.fixed[p]) problem.start[p] = 1 / static_cast<double>(p + 1);
  ExaminationFit fit =
      fit_examination(problem, fitting.options.iterations, fitting.options.tolerance, fitting.pool);
  model.propensities = std::move(fit.theta);
  model.attraction = std::move(fit.gamma);
  model.objective = std::move(fit.objective);
  model.intervals = theta_intervals(log, model.propensities, model.attraction, anchors.fixed);
  count_exposure(log, model);
}

void fit_relevance(const ClickFitting& fitting, const std::vector<double>& theta,
                   ClickModel& model) {
  const std::vector<StateCell> cells = cells_by_position(fitting.log);
  const ExaminationProblem problem{cells, fitting.log.cell_begin, theta,
                                   std::vector<char>(theta.size(), 1), fitting.prior};
  ExaminationFit fit =
      fit_examination(problem, fitting.options.iterations, fitting.options.tolerance, fitting.pool);
  model.propensities = theta;
  model.attraction = std::move(fit.gamma);
  if (model.objective.empty()) model.objective = std::move(fit.objective);
  count_exposure(fitting.log, model);
}

void fit_harvest(const ClickFitting& fitting, const Anchors& anchors, ClickModel& model) {
  fit_relevance(fitting, harvested_theta(fitting.log, anchors, {}), model);
  model.intervals = harvest_intervals(fitting.log, anchors, fitting.pool);
}

void fit_rates(const ClickFitting& fitting, ClickModel& model) {
  const ClickLog& log = fitting.log;
  const bool by_rank = model.kind == ClickModelKind::ctr_rank;
  std::vector<double> shown(by_rank ? log.positions : log.documents()), clicked(shown.size());
  for (const ClickCell& cell : log.cells) {
    const std::size_t at = by_rank ? cell.position - 1 : cell.document;
    shown[at] += cell.shown;
    clicked[at] += cell.clicked;
  }
  for (std::size_t i = 0; i < shown.size(); ++i)
    clicked[i] = fitting.prior.mean(clicked[i], std::max(shown[i], 1e-300));
  if (by_rank) {
    model.propensities = std::move(clicked);
    model.attraction.assign(log.documents(), 1.0);
  } else {
    model.propensities.assign(log.positions, 1.0);
    model.attraction = std::move(clicked);
  }
  count_exposure(log, model);
}

}  // namespace podium
