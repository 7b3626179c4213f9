// C_d and E_d = Σ n θ_p, with E[C_d] = E_d γ_d. With trust bias, P(c) = A_p γ + B_p (1 − γ) for A_p
// = a_p + b_p and B_p = b_p, only part of the clicks are due to relevance: each counts
//   P(relevant | click) = γ A_p / (γ A_p + (1 − γ) B_p)
// at the γ_d that makes the clicks of the document most likely (the prior is Beta(1.1, 1.1), as of
// the fit), found by EM (trust_fit.cc), and E_d = Σ n A_p.
#include "clicks/overlap.h"

#include <algorithm>
#include <cmath>

#include "clicks/examination_em.h"

namespace podium {
namespace {

constexpr int kGenuineSteps = 200;
constexpr double kGenuineChange = 1e-6;

// EM for γ of one document; returns the clicks that are due to relevance.
double genuine_clicks(std::span<const ClickCell> cells, const Propensities& trust) {
  const BetaPrior prior{1.1, 1.1};
  double gamma = 0.3, genuine = 0;
  for (int step = 0; step < kGenuineSteps; ++step) {
    double relevant = 0, count = 0;
    genuine = 0;
    for (const ClickCell& cell : cells) {
      const double b = trust.offset[cell.position - 1];
      const double a = std::min(1.0, trust.slope[cell.position - 1] + b);
      const double click = std::max(gamma * a + (1 - gamma) * b, kSmallestProbability);
      const double clicked = cell.clicked * gamma * a / click;
      genuine += clicked;
      relevant += clicked + (cell.shown - cell.clicked) * gamma * (1 - a) /
                                std::max(1 - click, kSmallestProbability);
      count += cell.shown;
    }
    const double before = gamma;
    gamma = prior.mean(relevant, count);
    if (std::abs(gamma - before) <= kGenuineChange) break;
  }
  return genuine;
}

}  // namespace

ExaminedClicks examined_clicks(const ClickLog& log, const Propensities* propensities) {
  ExaminedClicks result;
  const bool trust = propensities && !propensities->slope.empty();
  for (std::size_t d = 0; d < log.documents(); ++d) {
    double clicks = 0, exposure = 0;
    for (const ClickCell& cell : log.cells_of(d)) {
      clicks += cell.clicked;
      exposure += propensities ? cell.shown * propensities->at(cell.position) : cell.examined;
    }
    result.clicks.push_back(trust ? genuine_clicks(log.cells_of(d), *propensities) : clicks);
    result.exposures.push_back(exposure);
  }
  return result;
}

}  // namespace podium
