#include "solvers/difference_sums.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr std::size_t kNodes = DifferenceSums::kNodes;

// Lagrange polynomials at `x`, by the barycentric formula.
void lagrange(double x, const std::array<double, kNodes>& nodes,
              const std::array<double, kNodes>& weights, double* share) {
  double total = 0;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const double away = x - nodes[k];
    if (away == 0) {
      std::fill_n(share, kNodes, 0.0);
      share[k] = 1;
      return;
    }
    share[k] = weights[k] / away;
    total += share[k];
  }
  for (std::size_t k = 0; k < kNodes; ++k) share[k] /= total;
}

bool any_charge(const double* nodes) {
  return std::any_of(nodes, nodes + kNodes, [](double q) { return q != 0; });
}

}  // namespace

DifferenceSums::DifferenceSums(std::span<const double> points, double width, StopCheck stop)
    : width_(width),
      origin_(points.empty() ? 0 : *std::min_element(points.begin(), points.end())),
      stop_(stop),
      box_(points.size()),
      shares_(points.size() * kNodes) {
  std::array<double, kNodes> weights;
  for (std::size_t k = 0; k < kNodes; ++k) {
    const double turn = static_cast<double>(2 * k + 1) / (2 * kNodes);  // of π
    nodes_[k] = 0.5 * width * math::cos_pi(turn);
    weights[k] = (k % 2 ? -1 : 1) * math::cos_pi(0.5 - turn);
  }
  std::vector<std::int64_t> number(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    number[i] = static_cast<std::int64_t>((points[i] - origin_) / width);
  numbers_ = number;
  std::sort(numbers_.begin(), numbers_.end());
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    box_[i] = static_cast<std::uint32_t>(
        std::lower_bound(numbers_.begin(), numbers_.end(), number[i]) - numbers_.begin());
    const double middle = (static_cast<double>(number[i]) + 0.5) * width;
    lagrange((points[i] - origin_) - middle, nodes_, weights, &shares_[i * kNodes]);
  }
}

// Boxes farther apart than this contain no two points within the reach.
std::int64_t DifferenceSums::reach_in_boxes(double reach) const {
  const std::int64_t most = numbers_.empty() ? 0 : numbers_.back() - numbers_.front();
  return static_cast<std::int64_t>(
      std::min(static_cast<double>(most), std::ceil(reach / width_) + 1));
}

std::vector<double> DifferenceSums::differences(double reach) const {
  const std::int64_t boxes = reach_in_boxes(reach);
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(2 * boxes + 1) * kNodes * kNodes);
  for (std::int64_t distance = -boxes; distance <= boxes; ++distance)
    for (const double first : nodes_)
      for (const double second : nodes_)
        all.push_back(static_cast<double>(distance) * width_ + (first - second));
  return all;
}

DifferenceSums::Table DifferenceSums::tabulate(const Far& far,
                                               const std::function<double(double)>& f) const {
  Table table{far, reach_in_boxes(far.reach), differences(far.reach)};
  for (double& x : table.values) x = f(x);
  return table;
}

DifferenceSums::Nodes DifferenceSums::gather(Range range, std::span<const double> charges) const {
  Nodes nodes(boxes() * kNodes);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    double* const node = &nodes[box_[i] * kNodes];
    const double* const share = &shares_[i * kNodes];
    for (std::size_t k = 0; k < kNodes; ++k) node[k] += charges[i] * share[k];
  }
  return nodes;
}

DifferenceSums::Nodes DifferenceSums::sum(const Table& table, const Nodes& charges, At at) const {
  Nodes sums(boxes() * kNodes);
  std::size_t begin = 0;  // of the boxes within reach
  for (std::size_t here = 0; here < boxes(); ++here) {
    stop_();
    while (numbers_[here] - numbers_[begin] > table.reach) ++begin;
    double* const sum = &sums[here * kNodes];
    for (std::size_t there = begin; there < boxes(); ++there) {
      const std::int64_t distance = numbers_[here] - numbers_[there];
      if (-distance > table.reach) break;
      const double* const charge = &charges[there * kNodes];
      if (!any_charge(charge)) continue;
      const std::int64_t entry = (at == At::first ? distance : -distance) + table.reach;
      const double* const f = &table.values[static_cast<std::size_t>(entry) * kNodes * kNodes];
      if (at == At::first) {
        for (std::size_t k = 0; k < kNodes; ++k)
          for (std::size_t l = 0; l < kNodes; ++l) sum[k] += f[k * kNodes + l] * charge[l];
      } else {
        for (std::size_t l = 0; l < kNodes; ++l)
          for (std::size_t k = 0; k < kNodes; ++k) sum[k] += f[l * kNodes + k] * charge[l];
      }
    }
  }
  add_far(table, charges, at, sums);
  return sums;
}

// Adds boxes out of reach by their totals: Lagrange polynomials preserve Σ q and Σ q x.
void DifferenceSums::add_far(const Table& table, const Nodes& charges, At at, Nodes& sums) const {
  if (boxes() == 0 || numbers_.back() - numbers_.front() <= table.reach) return;
  const auto middle = [&](std::size_t box) {
    return (static_cast<double>(numbers_[box]) + 0.5) * width_;
  };
  // add(box, total charge of the boxes on that side, their Σ q x)
  const auto sweep = [&](bool upwards, auto&& add) {
    double total = 0, moment = 0;
    std::size_t entered = 0;
    for (std::size_t step = 0; step < boxes(); ++step) {
      const std::size_t here = upwards ? step : boxes() - 1 - step;
      for (;; ++entered) {
        const std::size_t box = upwards ? entered : boxes() - 1 - entered;
        if (std::abs(numbers_[here] - numbers_[box]) <= table.reach) break;
        for (std::size_t k = 0; k < kNodes; ++k) {
          total += charges[box * kNodes + k];
          moment += charges[box * kNodes + k] * (middle(box) + nodes_[k]);
        }
      }
      add(here, total, moment);
    }
  };
  // `positive`: whether the difference first − second is.
  const auto add_side = [&](bool upwards, bool positive) {
    const Far& far = table.far;
    sweep(upwards, [&](std::size_t here, double total, double moment) {
      for (std::size_t k = 0; k < kNodes; ++k) {
        const double apart = total * (middle(here) + nodes_[k]) - moment;  // Σ q (here − there)
        sums[here * kNodes + k] +=
            positive ? far.above * total
                     : far.below * total + far.slope * (at == At::first ? apart : -apart);
      }
    });
  };
  // In the upward sweep, the boxes already visited have smaller numbers.
  add_side(true, at == At::first);
  add_side(false, at == At::second);
}

}  // namespace podium
