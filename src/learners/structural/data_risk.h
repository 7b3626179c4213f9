// The risk for the cutting-plane solver: the weighted mean loss of a linear model over the queries
// that contribute to it, with sums over all ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/linear/indicator_steps.h"
#include "models/linear/linear.h"
#include "podium/context.h"
#include "podium/loss.h"
#include "solvers/cutting_plane.h"

namespace podium {

// A loss bound to data. Throws a training Error if no query contributes to it.
struct LossOnData {
  LossOnData(const Dataset& data, const Loss& loss, Context& context);

  const Dataset& data;
  std::unique_ptr<const BoundLoss> bound;
  bool has_bias;                        // a shift of all scores changes the loss
  std::optional<IndicatorSteps> steps;  // of the data, if it consists of indicators
  double scale = 1;                     // 1 / (weight of the queries that contribute)
  std::int64_t skipped = 0;             // queries on all ranks that do not contribute
};

class DataRisk final : public LinearRisk {
 public:
  // The risk of `loss`: that of `on`, or another one on the same queries (a convex bound on it).
  DataRisk(const LossOnData& on, const BoundLoss& loss, Context& context)
      : on_(on), loss_(loss), context_(context) {}

  std::size_t dimension() const override { return on_.data.features() + on_.has_bias; }
  Linear model(std::span<const double> w) const;

  std::vector<double> image(std::span<const double> w) override;
  // Throws Stopped, in a group of one, when a stop request comes inside a long list.
  double evaluate(std::span<const double> z, std::span<double> slope) override;
  std::vector<double> pull_back(std::span<const double> slope) override;
  double inner(std::span<const double> slope, std::span<const double> z) override;

 private:
  const LossOnData& on_;
  const BoundLoss& loss_;
  Context& context_;
};

}  // namespace podium
