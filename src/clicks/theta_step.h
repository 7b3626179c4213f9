// A step of EM for the propensities θ of positions under P(c) = θ_p γ_d, at fixed γ: means of
// P(examined | click or none), with the prior.
#pragma once

#include <span>
#include <vector>

#include "clicks/fits.h"

namespace podium {

class ThetaStep {
 public:
  ThetaStep(const ClickFitting& fitting, const Anchors& anchors, const std::vector<double>& gamma)
      : fitting_(fitting), anchors_(anchors), gamma_(gamma) {}

  // Returns the objective at `in`: the log-likelihood and the prior's logarithm.
  double operator()(std::span<const double> in, std::span<double> out) const;

 private:
  struct Sums {
    std::vector<double> hits, count;  // of each position
    double objective = 0;
  };
  void add(std::size_t d, std::span<const double> in, Sums& sums) const;

  const ClickFitting& fitting_;
  const Anchors& anchors_;
  const std::vector<double>& gamma_;
};

}  // namespace podium
