// The point of an interval of α at which scores b + αa make the order by grade most likely
// [Tan13] section 2.3: with P(α) the Plackett–Luce probability of the first τ places,
//
//   log P(α) = Σ_q weight_q Σ_t (s_t − log D_t),   D_t = Σ of exp(s) over the documents left
//
// is concave in α, and Newton's method, kept inside a bracket, finds its maximum. Documents of the
// same grade are treated by Efron's rule, which stands for all their orders, as in
// losses/listwise/plackett_luce.h. The two derivatives cost one exponential per document.
//
// Differs from [Tan13]: equal grades are averaged, not put into one order; Newton instead of
// bisection. Sums over queries are exact, so the point depends neither on threads nor on ranks.
#pragma once

#include <span>

#include "losses/grade_blocks.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class PlackettLucePoint {
 public:
  // The first `places` places count. The data must outlive this object.
  PlackettLucePoint(const Dataset& data, std::size_t places)
      : data_(data), places_(places), blocks_(data, GradeBlocks::Order::best_first) {}

  // The derivatives of log P.
  struct Slope {
    double first = 0;
    double second = 0;  // never positive
  };
  Slope slope(std::span<const double> base, std::span<const double> direction, double alpha,
              Context& context) const;

  // The most likely α with low ≤ α ≤ high, both finite, to within a small part of the interval;
  // begins at `start`, which must be inside.
  double best(std::span<const double> base, std::span<const double> direction, double low,
              double high, double start, Context& context) const;

 private:
  Slope slope_of_query(std::size_t q, std::span<const double> base,
                       std::span<const double> direction, double alpha) const;

  const Dataset& data_;
  std::size_t places_;
  GradeBlocks blocks_;
};

}  // namespace podium
