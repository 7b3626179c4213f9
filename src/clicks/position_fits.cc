// pbm, ctr-rank and ctr-doc: models of cells.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "clicks/position_graph.h"
#include "core/counted.h"

namespace podium {
namespace {

std::vector<StateCell> cells_by_position(const ClickLog& log) {
  std::vector<StateCell> cells;
  cells.reserve(log.cells.size());
  for (const ClickCell& cell : log.cells)
    cells.push_back({cell.position - 1, cell.shown, cell.clicked});
  return cells;
}

// Positions whose documents have too few clicks for intervals.
std::size_t without_interval(const ClickModel& model) {
  return static_cast<std::size_t>(
      std::count_if(model.intervals.begin(), model.intervals.end(),
                    [](const ProbabilityInterval& one) { return !std::isfinite(one.high); }));
}

}  // namespace

void count_exposure(const ClickLog& log, ClickModel& model) {
  model.exposure.assign(log.documents(), 0);
  for (const ClickCell& cell : log.cells)
    model.exposure[cell.document] += cell.shown * model.propensities[cell.position - 1];
}

void note_sparse(const ClickModel& model, Context& context) {
  if (const std::size_t without = without_interval(model); without > 0)
    context.observer.note(fmt::format(
        "{} {} no interval: the documents shown there have too few clicks for a relevance of each, "
        "which biases the propensities of pbm. Those of ‹model harvest› are not biased by it",
        counted(without, "position"), without == 1 ? "has" : "have"));
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
