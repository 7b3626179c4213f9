// Sums over all pairs of different grades of a long list, without visiting the pairs:
//
//   Σ_{y_i > y_j} a_i b_j φ(x_i − x_j)
//
// with its derivatives, in O(n log n), whereas the kernels of pairwise.h take O(n²). The grades are
// halved recursively: of two halves every document of the one is better than every document of the
// other, so only scores matter. Then
//   pieces       φ is a polynomial below each of a few ends: running sums of 1, x and x² over the
//                documents in order of x
//   exponential  e^{−x} is a product: running sums of e^x
//   smooth       the logistic and related functions: solvers/difference_sums.h
// All agree with the kernels up to rounding.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "podium/stop.h"

namespace podium {

// Lists up to here are faster pair by pair.
constexpr std::size_t kShortList = 512;

struct PairCosts {
  double value, first, second;
};

// φ = Σ over pieces with x < end of value[0] + value[1] x + value[2] x²; φ' and the curvature are
// given in the same way, because kernels may differ from the derivatives of the value.
struct PairPiece {
  double end;
  std::array<double, 3> value;
  std::array<double, 2> first;
  double second;
};
struct PiecewiseCost {
  std::vector<PairPiece> pieces;
  double grade_margin = 0;  // the ends move by this times the difference of grades
};

// e^{−x}, and its tangent below −kStraightBelow.
struct ExponentialCost {
  static constexpr double kStraightBelow = 40;
};

// Singularities no nearer to the real line than πi. Below −reach the value is a straight line.
struct SmoothCost {
  PairCosts (*at)(double x);
  double reach;
  double value_below = 0, slope_below = 0;
};
SmoothCost logistic_cost();
SmoothCost fidelity_cost();

using PairCost = std::variant<PiecewiseCost, ExponentialCost, SmoothCost>;

// One list: scores and grades by position, best grade first.
class LongList {
 public:
  // `scores` are multiplied by σ. Grades are used only for grade margins.
  LongList(std::span<const double> scores, std::span<const double> grades,
           std::span<const std::uint32_t> grade_ends);

  // Whether the scores are close enough to each other for sums of this kind.
  bool can_sum(const PairCost& cost) const;

  // The factors of the documents as the better and as the worse one of a pair, by position.
  struct Charges {
    std::span<const double> better, worse;
  };
  struct Sums {
    std::span<double> first, second;  // by position, added to
    double value = 0;
    double force = 0;  // Σ a b |φ'|
    StopCheck stop = {};
  };
  void add(const PairCost& cost, const Charges& charges, double factor, Sums& sums) const;

 private:
  std::span<const double> scores_, grades_;
  std::span<const std::uint32_t> ends_;
  double spread_ = 0;  // of the scores; not finite if one of them is not
};

}  // namespace podium
