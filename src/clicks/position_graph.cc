#include "clicks/position_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kZ = 1.959963984540054;
constexpr double kSmallestPivot = 1e-9;
constexpr double kEnoughClicks = 8;  // of a document

// Union-find.
class Groups {
 public:
  explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Numbers the groups of what occurs.
std::vector<std::uint32_t> numbered(Groups& groups, std::span<const char> occurs) {
  std::vector<std::uint32_t> number(occurs.size(), Connectivity::kNever), component(number);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < occurs.size(); ++i) {
    if (!occurs[i]) continue;
    std::uint32_t& own = number[groups.find(i)];
    if (own == Connectivity::kNever) own = next++;
    component[i] = own;
  }
  return component;
}

void set_components(Groups& groups, std::span<const char> occurs, Connectivity& result) {
  result.component = numbered(groups, occurs);
  for (const std::uint32_t own : result.component)
    if (own != Connectivity::kNever)
      result.components = std::max<std::size_t>(result.components, own + 1);
}

// Joins groups of positions that two documents share, one of them clicked. `all`: of any two of a
// document's groups, not only of neighbours. Returns whether any were joined.
bool join_pairs(const ClickLog& log, bool all, Groups& groups) {
  struct Shared {
    std::size_t documents = 0, clicked = 0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Shared> shared;
  std::vector<std::uint32_t> mine;
  for (std::size_t d = 0; d < log.documents(); ++d) {
    mine.clear();
    bool clicked = false;
    for (const ClickCell& cell : log.cells_of(d)) {
      if (cell.shown > 0) mine.push_back(groups.find(cell.position - 1));
      clicked = clicked || cell.clicked > 0;
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    for (std::size_t i = 0; i < mine.size(); ++i)
      for (std::size_t j = i + 1; j < (all ? mine.size() : std::min(i + 2, mine.size())); ++j) {
        Shared& pair = shared[{mine[i], mine[j]}];
        pair.documents += 1;
        pair.clicked += clicked;
      }
  }
  bool joined = false;
  for (const auto& [pair, count] : shared) {
    if (count.documents < 2 || count.clicked == 0) continue;
    groups.join(pair.first, pair.second);
    joined = true;
  }
  return joined;
}

}  // namespace

Connectivity connectivity(const ClickLog& log) {
  Groups groups(log.positions);
  std::vector<char> shown(log.positions);
  Connectivity result;
  result.linked.assign(log.positions > 0 ? log.positions - 1 : 0, 0);
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const auto cells = log.cells_of(d);
    double clicks = 0;
    for (const ClickCell& cell : cells) {
      if (cell.shown > 0) shown[cell.position - 1] = 1;
      clicks += cell.clicked;
    }
    if (clicks == 0) continue;
    std::uint32_t before = 0;  // the position before, among those where it was shown
    for (const ClickCell& cell : cells) {
      if (!(cell.shown > 0)) continue;
      if (before > 0) groups.join(before - 1, cell.position - 1);
      if (before > 0 && cell.position == before + 1) result.linked[before - 1] += 1;
      before = cell.position;
    }
  }
  set_components(groups, shown, result);
  return result;
}

Connectivity paired_connectivity(const ClickLog& log) {
  Groups groups(log.positions);
  std::vector<char> shown(log.positions);
  for (const ClickCell& cell : log.cells)
    if (cell.shown > 0) shown[cell.position - 1] = 1;
  // Neighbours first: afterwards few groups are left for all pairs.
  for (const bool all : {false, true})
    while (join_pairs(log, all, groups)) {
    }
  Connectivity result;
  set_components(groups, shown, result);
  return result;
}

std::vector<std::uint32_t> connected_states(std::span<const StateCell> cells,
                                            std::span<const std::uint64_t> document_begin,
                                            std::size_t states) {
  Groups groups(states);
  std::vector<char> occurs(states);
  for (std::size_t d = 0; d + 1 < document_begin.size(); ++d) {
    const auto mine = cells.subspan(document_begin[d], document_begin[d + 1] - document_begin[d]);
    const bool clicked =
        std::any_of(mine.begin(), mine.end(), [](const StateCell& c) { return c.clicked > 0; });
    const StateCell* first = nullptr;
    for (const StateCell& cell : mine) {
      if (!(cell.shown > 0)) continue;
      occurs[cell.state] = 1;
      if (!first) first = &cell;
      if (clicked) groups.join(first->state, cell.state);
    }
  }
  return numbered(groups, occurs);
}

// Gauss–Jordan without exchanges, which a positive definite matrix does not need.
LaplacianSolution solve_laplacian(std::vector<double> matrix, std::vector<double> right,
                                  std::span<const char> fixed) {
  const std::size_t n = right.size();
  std::vector<double> inverse(n * n, 0.0);
  std::vector<char> done(n, 0);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    inverse[i * n + i] = 1;
    largest = std::max(largest, matrix[i * n + i]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (fixed[k] || matrix[k * n + k] <= kSmallestPivot * largest) continue;
    done[k] = 1;
    const double pivot = matrix[k * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      matrix[k * n + j] /= pivot;
      inverse[k * n + j] /= pivot;
    }
    right[k] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = matrix[i * n + k];
      if (i == k || factor == 0 || fixed[i]) continue;
      for (std::size_t j = 0; j < n; ++j) {
        matrix[i * n + j] -= factor * matrix[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
      right[i] -= factor * right[k];
    }
  }
  LaplacianSolution solution{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < n; ++i) {
    if (fixed[i]) continue;
    solution.x[i] = done[i] ? right[i] : 0;
    solution.variance[i] = done[i] ? inverse[i * n + i] : std::numeric_limits<double>::infinity();
  }
  return solution;
}

std::vector<ProbabilityInterval> theta_intervals(const ClickLog& log, std::span<const double> theta,
                                                 std::span<const double> gamma,
                                                 std::span<const char> fixed) {
  const std::size_t n = theta.size();
  std::vector<double> laplacian(n * n, 0.0), information, shown(n, 0.0), clicks(n, 0.0);
  for (std::size_t d = 0; d < log.documents(); ++d) {
    const auto cells = log.cells_of(d);
    information.clear();
    double total = 0, own = 0;
    for (const ClickCell& cell : cells) own += cell.clicked;
    for (const ClickCell& cell : cells) {
      shown[cell.position - 1] += cell.shown;
      clicks[cell.position - 1] += cell.shown * own;
    }
    for (const ClickCell& cell : cells) {
      const double p = std::min(theta[cell.position - 1] * gamma[d], 1 - 1e-3);
      information.push_back(cell.shown * p / (1 - p));
      total += information.back();
    }
    if (!(total > 0)) continue;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t at = (cells[i].position - 1) * n;
      laplacian[at + cells[i].position - 1] += information[i];
      for (std::size_t j = 0; j < cells.size(); ++j)
        laplacian[at + cells[j].position - 1] -= information[i] * information[j] / total;
    }
  }
  const LaplacianSolution solution =
      solve_laplacian(std::move(laplacian), std::vector<double>(n, 0.0), fixed);
  std::vector<ProbabilityInterval> intervals;
  for (std::size_t p = 0; p < n; ++p) {
    const double spread = clicks[p] < kEnoughClicks * shown[p] && !fixed[p]
                              ? std::numeric_limits<double>::infinity()
                              : kZ * std::sqrt(solution.variance[p]);
    intervals.push_back({theta[p] * math::exp(-spread), theta[p] * math::exp(spread)});
  }
  return intervals;
}

}  // namespace podium
