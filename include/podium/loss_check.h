// LambdaRank's two questions [Burges05] for any loss: is there a cost with these derivatives,
// and is it convex? With g the loss's first derivatives (g = −λ):
//
//   a cost exists  ⇔  ∮ g·ds = 0 around every closed loop. Small rectangles in the plane of two
//                     scores are tried, among them ones that cross a swap of ranks: inside one
//                     ordering a λ-rule's pair weights are constant, and only the jump shows.
//   it is convex   ⇔  (g(s) − g(t))·(s − t) ≥ 0 for all s, t. Half of the pairs tried lie close
//                     together on the two sides of a swap, where a kink of the cost shows.
//
// And a third question: is the loss's value that cost, value(t) − value(s) = ∫ g·ds
// along the sides of the same rectangles? (A λ-rule's value is not: it uses the current weights.)
//
// Sampling can refute but never prove; the result states how much was tried. The note's own
// criterion, the Jacobian of g inside one ordering (symmetric? positive semi-definite?), is
// reported as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "podium/loss.h"

namespace podium {

struct LossCheckOptions {
  std::int64_t lists = 300;    // random lists of labels
  std::int64_t documents = 6;  // maximum documents per list
  std::int64_t grades = 4;     // 0 … grades − 1
  std::uint64_t seed = 1;
};

struct LossCheck {
  struct Loop {
    std::vector<float> labels;
    std::vector<double> corner;         // scores; the loop goes up by `side` in two of them
    std::size_t first = 0, second = 0;  // which
    double side = 0;
    double circulation = 0;  // ∮ g·ds
    double relative = 0;     // divided by the loop's length and the largest |g| on it
    enum class Order { kept, swapped } order = Order::kept;  // whether ranks swap on the way
  };
  struct Pair {
    std::vector<float> labels;
    std::vector<double> s, t;
    double product = 0;  // (g(s) − g(t))·(s − t)
    double cosine = 0;   // divided by the lengths of both factors
  };
  struct Side {
    std::vector<float> labels;
    std::vector<double> corner;  // scores; one of them goes up by `side`
    std::size_t moving = 0;      // which
    double side = 0;
    double difference = 0;  // of the values at the two ends
    double integral = 0;    // ∫ g·ds
    double relative = 0;  // |difference − integral| by the larger of |difference| and side × the
                          // largest |g| on the rectangle
  };
  struct Jacobian {
    double asymmetry = 0;            // largest |J − Jᵀ|, relative to the largest |J|
    double smallest_eigenvalue = 1;  // of (J + Jᵀ)/2, relative to the largest |eigenvalue|
    std::size_t points = 0;
  };

  bool cost_exists = true;
  bool convex = true;
  bool value_fits = true;  // the value's slopes are the derivatives
  Loop worst_loop;
  Pair worst_pair;
  Side worst_side;
  Jacobian jacobian;
  std::size_t loops = 0, swapping_loops = 0, pairs = 0;
};

LossCheck check_loss(const Loss& loss, const LossCheckOptions& options);

// The answers as lines of text; `loss` is the name to print.
std::string to_text(const LossCheck& check, std::string_view loss);

}  // namespace podium
