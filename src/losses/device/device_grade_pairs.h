// Losses over all pairs of different grades on a device.
#pragma once

#include <memory>
#include <span>

#include "losses/device/device_loss.h"
#include "losses/pairwise/pair_kernels.h"
#include "podium/dataset.h"

namespace podium {

enum class PairKind {
  logistic,
  exponential,
  fidelity,
  hinge,
  squared_hinge,
  margin,
  literal_margin
};

// A bound loss.
struct DeviceGradePairRule {
  const Dataset& data;
  PairKind kind;
  PairShape shape;
  double sigma, largest_range, tie;
  bool by_grade;                         // pairs weigh the difference of their grades
  std::span<const std::uint32_t> order;  // the rows of each query, by descending grade
  std::span<const double> scale;         // of each query; 0: it has no pairs
};

// Null if a list is too long.
std::unique_ptr<DeviceLoss> device_grade_pairs(const DeviceGradePairRule& rule,
                                               const DeviceLossSite& site);

}  // namespace podium
