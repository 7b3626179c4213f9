#include "learners/direct_search/line_step.h"

#include <algorithm>
#include <cmath>

namespace podium {
namespace {

constexpr double kMargin = 0.02;  // of a piece's width, kept free at both ends
constexpr double kReach = 64;     // of an unbounded piece, in units of its end
constexpr double kInside = 0.25;  // part of a piece's width that a penalised step enters
// Pieces narrower than this, in units of their ends, allow only their middle.
constexpr double kNarrow = 0x1p-36;

double size_of(double end) {
  return std::max(1.0, std::abs(end));
}

// Bounded on one side only. (If the measure does not change, the whole line is one piece.)
bool is_unbounded(const LinePiece& piece) {
  return std::isinf(piece.low) != std::isinf(piece.high);
}

// The piece with infinite ends replaced.
LinePiece bounded(LinePiece piece, double reach) {
  const bool open_low = std::isinf(piece.low), open_high = std::isinf(piece.high);
  if (open_low && open_high) return {-reach, reach, piece.value};
  if (open_low) piece.low = piece.high - reach * size_of(piece.high);
  if (open_high) piece.high = piece.low + reach * size_of(piece.low);
  return piece;
}

// The shortest step that ends well inside the piece.
double shortest_step(const LinePiece& open) {
  if (open.low < 0 && open.high > 0) return 0;
  const LinePiece piece = bounded(open, 1);
  const double inside = kInside * (piece.high - piece.low);
  return piece.low >= 0 ? piece.low + inside : piece.high - inside;
}

}  // namespace

LineStep::LineStep(const Dataset& data, MeasurePtr measure, const Convention& convention,
                   StepRule rule, Context& context)
    : search_(data, measure, convention, context), rule_(rule) {
  if (rule.point == StepRule::Point::plackett_luce) likelihood_.emplace(data, measure->depth());
}

Step LineStep::choose(std::span<const double> base, std::span<const double> direction,
                      double length, Context& context) const {
  const SearchLine line{base, direction};
  if (rule_.has_penalty()) return penalized(line, length, context);
  const LineSearchResult found = search_.search(line, context);
  return {likelihood_ ? likely_point(line, found, context) : found.middle, found.best.value,
          is_unbounded(found.best)};
}

double LineStep::likely_point(const SearchLine& line, const LineSearchResult& found,
                              Context& context) const {
  const LinePiece piece = bounded(found.best, kReach);
  const double width = piece.high - piece.low;
  if (width < kNarrow * std::max(std::abs(piece.low), std::abs(piece.high))) return found.middle;
  const double low = piece.low + kMargin * width, high = piece.high - kMargin * width;
  const double start = found.holds_current ? 0 : found.middle;
  return likelihood_->best(line.base, line.direction, low, high, start, context);
}

Step LineStep::penalized(const SearchLine& line, double length, Context& context) const {
  Step best{0, 0};
  double best_total = -HUGE_VAL;
  for (const LinePiece& piece : search_.pieces(line, context)) {
    const double delta = shortest_step(piece);
    const double relative = std::abs(delta) / length;
    const double total = piece.value - rule_.l1 * relative - rule_.l2 * relative * relative;
    if (total > best_total || (total == best_total && std::abs(delta) < std::abs(best.delta))) {
      best = {delta, piece.value, is_unbounded(piece)};
      best_total = total;
    }
  }
  return best;
}

}  // namespace podium
