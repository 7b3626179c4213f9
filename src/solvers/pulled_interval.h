// Weighted points on a line and an interval [low, high] that forces squeeze from both sides:
//
//   min  ½ Σ_i w_i ((low − f_i)₊² + (f_i − high)₊²) + ½ width (high − low)²  −  up·low + down·high
//   subject to  low ≤ high
//
// for forces up, down ≥ 0. Each end is a piecewise linear function of the force on it, with a kink
// at every point; sums up to each kink are built from differences of neighbours, all of one sign,
// so nothing cancels. Without a force an end is at the outermost point.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace podium {

// The points as seen from one end: ascending for the low end, negated and descending for the high
// end.
class PushedEnd {
 public:
  struct Place {
    double at;
    double slope;      // by the force
    std::size_t kink;  // the last one passed
  };
  void push_back(double point, double weight);
  Place under(double force) const;
  double cost(double at) const { return passed(at).cost; }  // ½ Σ w (at − point)₊²

  // The cost of an end at a position, with its first and second derivatives: the sum of w (at −
  // point)₊ and the weight of the points passed.
  struct Passed {
    double cost = 0, force = 0, weight = 0;
  };
  Passed passed(double at) const;

 private:
  struct Kink {
    double point, weight, force, cost;  // of all points so far, with the end here
  };
  std::vector<Kink> kinks_;
};

class PulledInterval {
 public:
  struct Response {
    double low, high;
    double low_by_up, high_by_down;  // derivatives, the second one of −high
    double cross;                    // of high by up, and of −low by down
  };
  using Point = std::pair<double, double>;  // position, weight > 0
  // At least one point, in ascending order; width ≥ 0, and infinity for low = high.
  PulledInterval(std::span<const Point> points, double width);

  Response under(double up, double down) const;
  double cost(double low, double high) const;  // without the work of the forces

 private:
  Response closed(double up, double down) const;
  Response stretched(double up, double down) const;

  PushedEnd low_, high_;
  double width_;
  double mean_ = 0, weight_ = 0;
};

}  // namespace podium
