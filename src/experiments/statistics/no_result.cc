#include "experiments/statistics/no_result.h"

#include <limits>

#include <fmt/format.h>

namespace podium {

TestResult unfinished_test(std::string_view test, const PairedDifferences& differences) {
  TestResult result;
  result.test = test;
  result.statistic = std::numeric_limits<double>::quiet_NaN();
  result.queries = differences.values.size();
  return result;
}

std::string too_few(const PairedDifferences& differences, std::size_t needed) {
  if (differences.unusable)
    return fmt::format("{} of the differences are infinite or beyond 1e100", differences.unusable);
  const std::size_t n = differences.values.size();
  if (n >= needed) return {};
  std::string reason = fmt::format("too few queries: {}, and at least {} are needed", n, needed);
  if (differences.dropped)
    reason += fmt::format(" ({} without a value were dropped)", differences.dropped);
  return reason;
}

}  // namespace podium
