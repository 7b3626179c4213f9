// One step of direct search [Tan13]: along a direction, the best piece of the measure, and a point
// in it.
//
// Point::middle is the middle of the piece; Point::plackett_luce its most likely point
// (plackett_luce_point.h), kept away from the ends, where scores tie.
//
// With a penalty the piece is the one with the largest
//
//   measure − l1 |δ| / ‖w‖ − l2 (δ / ‖w‖)²
//
// and δ, the step from the previous value, is the shortest that ends well inside the piece.
// (Rankings do not change when all weights are scaled, so a step is measured relative to ‖w‖.)
#pragma once

#include <optional>
#include <span>

#include "learners/direct_search/plackett_luce_point.h"
#include "line_search/exact_line_search.h"

namespace podium {

struct StepRule {
  enum class Point { middle, plackett_luce } point = Point::middle;
  double l1 = 0;
  double l2 = 0;

  bool has_penalty() const noexcept { return l1 > 0 || l2 > 0; }
};

struct Step {
  double delta;            // from the base scores
  double value;            // the measure there
  bool unbounded = false;  // its piece is bounded on one side only
};

class LineStep {
 public:
  // The data must outlive this object.
  LineStep(const Dataset& data, MeasurePtr measure, const Convention& convention, StepRule rule,
           Context& context);

  // From scores `base` along `direction`; `length` is that of the weights, in units of δ.
  Step choose(std::span<const double> base, std::span<const double> direction, double length,
              Context& context) const;

 private:
  Step penalized(const SearchLine& line, double length, Context& context) const;
  double likely_point(const SearchLine& line, const LineSearchResult& found,
                      Context& context) const;

  ExactLineSearch search_;
  StepRule rule_;
  std::optional<PlackettLucePoint> likelihood_;
};

}  // namespace podium
