// Sums of a smooth function of differences, Σ_j q_j f(x_i − x_j), for all points at once and in
// time that grows with the points, not with their pairs.
//
// The points lie in boxes of one width. Inside a box f is replaced by the polynomial through
// kNodes Chebyshev nodes, in each of its two points: the charges q of a box are moved to its nodes,
// the nodes of any two boxes meet (a table for each distance of boxes), and the sums at the nodes
// are read off at the points. An f whose nearest complex singularity is b away from the real line
// is met to about ρ^−kNodes, ρ = b/h + √(1 + (b/h)²), h half a box's width: rounding, at b = π and
// boxes of width 2 (the logistic function). Errors are relative to f within the two boxes, so
// sums of tiny terms are as good as others. Where |x_i − x_j| is beyond the function's reach, f is
// taken for the straight lines that it approaches.
//
// O(n kNodes + boxes · min(boxes, reach/width) · kNodes²) a sum, O(n kNodes) memory. One order of
// additions: the bits depend on the points alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "podium/stop.h"

namespace podium {

class DifferenceSums {
 public:
  static constexpr std::size_t kNodes = 20;
  struct Range {
    std::size_t begin, end;
  };

  // The points must be finite. sum() checks `stop` between boxes.
  DifferenceSums(std::span<const double> points, double width, StopCheck stop = {});

  std::size_t boxes() const noexcept { return numbers_.size(); }

  // f, tabulated. Beyond `reach`: above at x > 0, below + slope · x at x < 0.
  struct Far {
    double reach;
    double above = 0, below = 0, slope = 0;
  };
  struct Table {
    Far far;
    std::int64_t reach = 0;      // in boxes
    std::vector<double> values;  // [distance + reach][node of the first][node of the second]
  };
  Table tabulate(const Far& far, const std::function<double(double)>& f) const;
  // How far apart the nodes of a table's entries are, in its order: for many tables of one function
  // of f.
  std::vector<double> differences(double reach) const;

  // Charges moved to the nodes: those of the points in the range; one charge per point of all.
  using Nodes = std::vector<double>;
  Nodes gather(Range range, std::span<const double> charges) const;

  // At the nodes of the boxes: Σ_j q_j f(x − x_j), or with x as the second point Σ_i q_i f(x_i −
  // x).
  enum class At { first, second };
  Nodes sum(const Table& table, const Nodes& charges, At at) const;

  // Of the sums, what they are at point i.
  double read(const Nodes& sums, std::size_t i) const {
    const double* const node = &sums[box_[i] * kNodes];
    const double* const share = &shares_[i * kNodes];
    double value = 0;
    for (std::size_t k = 0; k < kNodes; ++k) value += share[k] * node[k];
    return value;
  }

 private:
  std::int64_t reach_in_boxes(double reach) const;
  void add_far(const Table& table, const Nodes& charges, At at, Nodes& sums) const;

  double width_, origin_;
  StopCheck stop_;
  std::array<double, kNodes> nodes_;   // of a box, from its middle
  std::vector<std::int64_t> numbers_;  // of the boxes that hold points, ascending
  std::vector<std::uint32_t> box_;     // of each point: which of those
  std::vector<double> shares_;         // kNodes a point: Lagrange's polynomials
};

}  // namespace podium
