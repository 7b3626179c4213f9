// User browsing model [Dupret08]: P(click at p) = θ(p, p′) γ_d, where p′ is the position of the
// last click above, 0 if there is none. It is the examination model whose states are pairs (p, p −
// p′), so its EM is that of pbm.
//
// So is what a log determines: θ of states up to one factor per connected component of the graph of
// states and documents. A document that is always at one position connects the states of this
// position, for what was clicked above it varies, but no two positions. A position belongs to the
// component of its most frequent state, where its anchor is: θ(1, 0) = 1 if position 1 was shown.
// States that are not connected with it are left out of the position's mean if they are rare, and
// refused otherwise, because the mean depends on them.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "clicks/fits.h"
#include "clicks/position_graph.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kFewShows = 0.01;  // of a position: they move its mean by no more than this

// Position p has the states p(p − 1)/2 + distance − 1, distance = 1 … p.
std::uint32_t state_of(std::uint32_t position, std::uint32_t distance) {
  return position * (position - 1) / 2 + distance - 1;
}

struct UbmCells {
  std::vector<StateCell> cells;  // by document
  std::vector<std::uint64_t> begin = {0};
  std::vector<double> shown;             // of each state
  std::vector<std::uint32_t> position;   // of each state, from 0
  std::vector<std::uint32_t> component;  // of each state
  std::vector<std::uint32_t> main;       // of each position, its most frequent state
};

UbmCells count_states(const ClickLog& log) {
  UbmCells counts;
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
        counts.cells.push_back(at->second);
      }
      counts.begin.push_back(counts.cells.size());
    }
  }
  for (std::uint32_t p = 0; p < log.positions; ++p) {
    counts.main.push_back(state_of(p + 1, p + 1));
    counts.position.insert(counts.position.end(), p + 1, p);
  }
  counts.shown.assign(counts.position.size(), 0);
  for (const StateCell& cell : counts.cells) counts.shown[cell.state] += cell.shown;
  for (std::uint32_t state = 0; state < counts.shown.size(); ++state) {
    std::uint32_t& main = counts.main[counts.position[state]];
    if (counts.shown[state] > counts.shown[main]) main = state;
  }
  counts.component = connected_states(counts.cells, counts.begin, counts.position.size());
  return counts;
}

// The positions by the components of their most frequent states.
Connectivity graph_of_positions(const UbmCells& counts) {
  Connectivity graph;
  std::vector<std::uint32_t> number(counts.position.size(), Connectivity::kNever);
  for (const std::uint32_t main : counts.main) {
    const std::uint32_t component = counts.component[main];
    graph.component.push_back(Connectivity::kNever);
    if (component == Connectivity::kNever) continue;
    if (number[component] == Connectivity::kNever)
      number[component] = static_cast<std::uint32_t>(graph.components++);
    graph.component.back() = number[component];
  }
  return graph;
}

// Fixes a state of each component: that of its first position, or under an assumption its first.
void fix_states(const UbmCells& counts, const Anchors& anchors, bool assumes,
                ExaminationProblem& problem) {
  std::vector<char> anchored(counts.position.size());
  const auto fix = [&](std::uint32_t state) {
    problem.fixed[state] = 1;
    problem.start[state] = anchors.values[counts.position[state]];
    if (counts.component[state] != Connectivity::kNever) anchored[counts.component[state]] = 1;
  };
  for (std::size_t p = 0; p < counts.main.size(); ++p)
    if (anchors.fixed[p]) fix(counts.main[p]);
  for (std::uint32_t state = 0; assumes && state < counts.component.size(); ++state)
    if (counts.component[state] != Connectivity::kNever && !anchored[counts.component[state]])
      fix(state);
}

// Whether the log connects the state with its position.
bool connected(const UbmCells& counts, std::uint32_t state) {
  return counts.component[state] == counts.component[counts.main[counts.position[state]]];
}

// Refuses states that matter for a position's mean and are not connected with it, unless their
// θ is assumed; notes those that do not matter.
void check_states(const UbmCells& counts, Context& context, ClickModel& model, bool assumes) {
  std::vector<double> shown(counts.main.size()), apart(counts.main.size());
  double all = 0, left_out = 0;
  for (std::uint32_t state = 0; state < counts.shown.size(); ++state) {
    shown[counts.position[state]] += counts.shown[state];
    all += counts.shown[state];
    if (connected(counts, state)) continue;
    apart[counts.position[state]] += counts.shown[state];
    left_out += counts.shown[state];
  }
  for (std::size_t p = 0; p < shown.size(); ++p) {
    if (apart[p] <= kFewShows * shown[p]) continue;
    model.assumed = true;
    if (!assumes)
      throw Error(
          ErrorCode::data,
          fmt::format(
              "the log does not determine the propensity of position {}: no clicked document "
              "connects the clicks above after which it was shown ({:.0f} % of its lines are "
              "apart). Show documents at several positions (swaps), fit ‹model pbm›, leave out "
              "late positions with ‹max-position›, or assume a shape with ‹assume 1/p^1›",
              p + 1, 100 * apart[p] / shown[p]));
  }
  if (left_out > 0 && !assumes)
    context.observer.note(fmt::format(
        "{:.2g} % of the lines were shown after clicks above whose documents connect them with "
        "nothing: they are left out of the propensities of their positions",
        100 * left_out / all));
}

}  // namespace

void fit_ubm(const ClickFitting& fitting, Context& context, ClickModel& model) {
  const ClickLog& log = fitting.log;
  const std::uint32_t n = log.positions;
  const UbmCells counts = count_states(log);
  const Anchors anchors = choose_anchors(graph_of_positions(counts), fitting.options, model);
  const bool assumes = !fitting.options.assume.empty();
  check_states(counts, context, model, assumes);
  ExaminationProblem problem{counts.cells, counts.begin, {}, {}, fitting.prior};
  for (std::uint32_t p = 1; p <= n; ++p)
    for (std::uint32_t distance = 1; distance <= p; ++distance)
      problem.start.push_back(1 / static_cast<double>(distance));
  problem.fixed.assign(problem.start.size(), 0);
  fix_states(counts, anchors, assumes, problem);
  ExaminationFit fit =
      fit_examination(problem, fitting.options.iterations, fitting.options.tolerance, fitting.pool);
  for (std::uint32_t p = 1; p <= n; ++p)
    model.by_distance.emplace_back(fit.theta.begin() + state_of(p, 1),
                                   fit.theta.begin() + state_of(p, p) + 1);
  model.attraction = std::move(fit.gamma);
  model.objective = std::move(fit.objective);
  // θ of a position: the mean over how the position was reached.
  std::vector<double> shown(n), examined(n);
  for (std::uint32_t state = 0; state < counts.shown.size(); ++state) {
    if (!assumes && !connected(counts, state)) continue;
    shown[counts.position[state]] += counts.shown[state];
    examined[counts.position[state]] += counts.shown[state] * fit.theta[state];
  }
  for (std::uint32_t p = 0; p < n; ++p)
    model.propensities.push_back(shown[p] > 0 ? examined[p] / shown[p] : anchors.values[p]);
  model.exposure.assign(log.documents(), 0);
  for (std::size_t d = 0; d < log.documents(); ++d)
    for (std::size_t c = counts.begin[d]; c < counts.begin[d + 1]; ++c)
      model.exposure[d] += counts.cells[c].shown * fit.theta[counts.cells[c].state];
}

}  // namespace podium
