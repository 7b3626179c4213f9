// User browsing model [Dupret08]: P(click at p) = θ(p, p′) γ_d, where p′ is the position of the last
// click above, 0 if there is none. It is the examination model whose states are pairs (p, p − p′),
// so its EM is that of pbm. The anchor is θ(1, 0) = 1.
#include <algorithm>
#include <map>

#include "clicks/fits.h"

namespace podium {
namespace {

// Position p has the states p(p − 1)/2 + distance − 1, distance = 1 … p.
std::uint32_t state_of(std::uint32_t position, std::uint32_t distance) {
  return position * (position - 1) / 2 + distance - 1;
}

}  // namespace

void fit_ubm(const ClickFitting& fitting, ClickModel& model) {
  const ClickLog& log = fitting.log;
  const std::uint32_t n = log.positions;
  std::vector<StateCell> cells;
  std::vector<std::uint64_t> begin = {0};
  std::map<std::pair<std::uint32_t, std::uint32_t>, StateCell> of_query;  // document, state
  std::size_t s = 0;
  for (std::uint32_t q = 0; q < log.queries(); ++q) {
    of_query.clear();
    for (; s < log.sessions.size() && log.sessions[s].query == q; ++s) {
      std::uint32_t last = 0;
      for (const ShownDocument& one : log.documents_of(log.sessions[s])) {
        StateCell& cell = of_query[{one.document, state_of(one.position, one.position - last)}];
        cell.shown += log.sessions[s].count;
        if (one.clicked) cell.clicked += log.sessions[s].count;
        if (one.clicked) last = one.position;
      }
    }
    auto at = of_query.begin();
    for (std::uint64_t d = log.query_begin[q]; d < log.query_begin[q + 1]; ++d) {
      for (; at != of_query.end() && at->first.first == d; ++at) {
        at->second.state = at->first.second;
        cells.push_back(at->second);
      }
      begin.push_back(cells.size());
    }
  }
  ExaminationProblem problem{cells, begin, {}, {}, fitting.prior};
  for (std::uint32_t p = 1; p <= n; ++p)
    for (std::uint32_t distance = 1; distance <= p; ++distance)
      problem.start.push_back(1 / static_cast<double>(distance));
  problem.fixed.assign(problem.start.size(), 0);
  problem.fixed[0] = 1;
  ExaminationFit fit =
      fit_examination(problem, fitting.options.iterations, fitting.options.tolerance, fitting.pool);
  for (std::uint32_t p = 1; p <= n; ++p)
    model.by_distance.emplace_back(fit.theta.begin() + state_of(p, 1),
                                   fit.theta.begin() + state_of(p, p) + 1);
  model.attraction = std::move(fit.gamma);
  model.objective = std::move(fit.objective);
  // θ of a position: the mean over how the position was reached.
  std::vector<double> shown(n), examined(n);
  model.exposure.assign(log.documents(), 0);
  for (std::size_t d = 0; d < log.documents(); ++d)
    for (std::size_t c = begin[d]; c < begin[d + 1]; ++c) {
      std::uint32_t p = 1;
      while (state_of(p + 1, 1) <= cells[c].state) ++p;
      shown[p - 1] += cells[c].shown;
      examined[p - 1] += cells[c].shown * fit.theta[cells[c].state];
      model.exposure[d] += cells[c].shown * fit.theta[cells[c].state];
    }
  for (std::uint32_t p = 0; p < n; ++p)
    model.propensities.push_back(shown[p] > 0 ? examined[p] / shown[p] : 0);
}

}  // namespace podium
