// λ-rules on a device.
#pragma once

#include <memory>
#include <span>

#include "losses/device/device_loss.h"
#include "losses/device/lambda_kernels.h"
#include "podium/dataset.h"

namespace podium {

// A bound λ-rule.
struct DeviceLambdaRule {
  const Dataset& data;
  const RankWeights& weights;
  std::span<const double> factor;          // of each query
  double uninformative;                    // the factor of queries that contribute nothing
  std::span<const std::uint32_t> by_hash;  // the rows of each query, in the order of equal scores
  LambdaScaling scaling;
  double sigma, nearest, largest_range;
  std::size_t pivots;
};

// Null if the weights have no form for devices.
std::unique_ptr<DeviceLoss> device_lambda(const DeviceLambdaRule& rule, const DeviceLossSite& site);

}  // namespace podium
