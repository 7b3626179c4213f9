#include "measures/aggregate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kGeometricFloor = 1e-5;

}  // namespace

double averaged_value(double value, Aggregation aggregation) {
  if (aggregation != Aggregation::geometric || std::isnan(value)) return value;
  return math::log(std::max(value, kGeometricFloor));
}

double WeightedSum::aggregate(Aggregation aggregation) const {
  if (aggregation == Aggregation::sum) return values.value();
  const double weight = weights.value();
  if (!(weight > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double mean = values.value() / weight;
  return aggregation == Aggregation::geometric ? math::exp(mean) : mean;
}

WeightedSum sum_queries(std::span<const double> values, std::span<const float> weights,
                        Aggregation aggregation) {
  WeightedSum sum;
  for (std::size_t q = 0; q < values.size(); ++q) {
    if (std::isnan(values[q])) continue;
    const double weight =
        weights.empty() || aggregation == Aggregation::sum ? 1 : static_cast<double>(weights[q]);
    sum.values += weight * averaged_value(values[q], aggregation);
    sum.weights += weight;
  }
  return sum;
}

}  // namespace podium
