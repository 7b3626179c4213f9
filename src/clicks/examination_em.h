// EM for P(click) = θ_s γ_d, where s is a state of the reader: a position (pbm), or a position and
// the distance to the last click (ubm).
//   E: after a click both hold; otherwise P(examined) = θ(1 − γ)/(1 − θγ) and
//      P(relevant) = γ(1 − θ)/(1 − θγ);
//   M: means, with a Beta(α, β) prior: (Σ + α − 1)/(n + α + β − 2).
// Every third step is extrapolated (SQUAREM, [Varadhan08]) and kept only if the objective does not
// fall, so that it never does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/thread_pool.h"

namespace podium {

struct BetaPrior {
  double alpha = 1, beta = 1;

  double mean(double hits, double count) const {
    return (hits + alpha - 1) / (count + alpha + beta - 2);
  }
  double log_density(double p) const;  // up to a constant
};

struct StateCell {
  std::uint32_t state = 0;
  double shown = 0, clicked = 0;
};

struct ExaminationProblem {
  std::span<const StateCell> cells;                // by document
  std::span<const std::uint64_t> document_begin;   // documents + 1
  std::vector<double> start;                       // θ of each state
  std::vector<char> fixed;                         // whether θ keeps its start
  BetaPrior prior;
};
struct ExaminationFit {
  std::vector<double> theta, gamma;
  std::vector<double> objective;
};
ExaminationFit fit_examination(const ExaminationProblem& problem, std::int64_t iterations,
                               double tolerance, ThreadPool& pool);

// Drives an EM step to convergence as described above. `step(in, out)` writes the next parameters
// and returns the objective at `in`; all parameters are probabilities.
template <class Step>
std::vector<double> accelerated_em(std::vector<double>& parameters, const Step& step,
                                   std::int64_t iterations, double tolerance);

inline constexpr double kSmallestProbability = 1e-9;

}  // namespace podium

#include "clicks/examination_em-inl.h"
