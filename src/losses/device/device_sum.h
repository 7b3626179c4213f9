// Sums of losses on a device.
#pragma once

#include <memory>
#include <vector>

#include "losses/device/device_loss.h"
#include "podium/loss.h"

namespace podium {

struct DeviceSumPart {
  double weight;
  std::unique_ptr<DeviceLoss> loss;  // of queries that count once
};

// `outputs`: of each document.
std::unique_ptr<DeviceLoss> device_sum(std::vector<DeviceSumPart> parts, std::size_t outputs,
                                       LossTraits::Weights weights, const DeviceLossSite& site);

}  // namespace podium
