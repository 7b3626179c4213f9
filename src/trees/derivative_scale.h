// Before a tree is grown, the derivatives of its output are divided by the mean curvature, so that
// penalties mean the same for every loss and round, and small curvatures are raised to limit the
// steps. If a loss has no curvature (the sum is not positive), it is 1 for each document.
//
// The arithmetic is here, one document at a time, for all devices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "device/both.h"
#include "podium/context.h"

namespace podium {

struct DerivativeScale {
  double unit = 1;   // divisor of the derivatives
  double floor = 1;  // minimum curvature, before the division

  // `curvature` is the sum over `documents` documents, of all ranks.
  static DerivativeScale of(double curvature, double documents) {
    constexpr double kSmallestCurvature = 1e-6;  // in units of the mean
    if (!(curvature > 0)) return {};
    const double mean = curvature / documents;
    return {mean, kSmallestCurvature * mean};
  }

  PODIUM_BOTH double first(double derivative) const noexcept { return derivative / unit; }
  PODIUM_BOTH double second(double derivative) const noexcept {
    return std::max(derivative, floor) / unit;
  }
};

// The sum of one output's values over the documents of all ranks, correctly rounded. `values` has
// `outputs` numbers per document; those of one document are contiguous. Collective: all ranks must
// call it.
double output_total(std::span<const double> values, std::size_t outputs, std::size_t output,
                    Context& context);

}  // namespace podium
