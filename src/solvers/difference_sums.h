// Sums of a smooth function of differences, Σ_j q_j f(x_i − x_j), for all points at once, in time
// that grows with the number of points, not of pairs.
//
// The points are in boxes of equal width. Inside a box f is replaced by the polynomial through
// kNodes Chebyshev nodes, in both of its arguments: the charges q of a box are moved to its nodes,
// f is evaluated between the nodes of any two boxes (a table for each distance of boxes), and the
// sums at the nodes are interpolated at the points. An f whose nearest complex singularity has
// distance b from the real line is approximated to about ρ^−kNodes, ρ = b/h + √(1 + (b/h)²), h half
// a box's width: rounding error, for b = π and boxes of width 2 (the logistic function). Errors are
// relative to f within the two boxes, so sums of tiny terms are as accurate as others. If |x_i −
// x_j| is beyond the function's reach, f is replaced by its asymptotes.
//
// O(n kNodes + boxes · min(boxes, reach/width) · kNodes²) per sum, O(n kNodes) memory. The order of
// additions is fixed: the bits depend only on the points.
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
  // The differences between the nodes of a table's entries, in the table's order: for many tables
  // of one function.
  std::vector<double> differences(double reach) const;

  // Charges moved to the nodes, for the points in the range; `charges` has one element per point of
  // all.
  using Nodes = std::vector<double>;
  Nodes gather(Range range, std::span<const double> charges) const;

  // At the nodes of the boxes: Σ_j q_j f(x − x_j), or with x as the second argument Σ_i q_i f(x_i −
  // x).
  enum class At { first, second };
  Nodes sum(const Table& table, const Nodes& charges, At at) const;

  // The value of the sums at point i.
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
  std::vector<std::int64_t> numbers_;  // of the boxes that contain points, ascending
  std::vector<std::uint32_t> box_;     // of each point: index into numbers_
  std::vector<double> shares_;         // kNodes per point: Lagrange polynomials
};

}  // namespace podium
