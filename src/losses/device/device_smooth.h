// Smooth losses on a device.
#pragma once

#include <memory>
#include <span>

#include "losses/device/device_loss.h"
#include "podium/dataset.h"

namespace podium {

enum class SmoothLoss { squared, query_squared, cross_entropy };

// `target`: a number per document of the data, what scores are compared with: values or, for the
// cross entropy, probabilities.
std::unique_ptr<DeviceLoss> device_smooth_loss(SmoothLoss loss, const Dataset& data,
                                               std::span<const double> target,
                                               const DeviceLossSite& site);

enum class GradeClassLoss { multinomial, ordinal };

// `grades`: the classes, at least two; `least_curvature`: of an output.
std::unique_ptr<DeviceLoss> device_grade_class_loss(GradeClassLoss loss, const Dataset& data,
                                                    std::span<const double> grades,
                                                    double least_curvature,
                                                    const DeviceLossSite& site);

}  // namespace podium
