// The statistics of results.json: all pairs of systems, tested and adjusted, for every measure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "podium/context.h"

namespace podium {

struct StatisticsTerms {
  std::string test, correction;
  double alpha = 0.05;
  std::size_t permutations = 10000;
};

// One measure. values: [system][query], NaN where a query was not tested or skipped.
nlohmann::ordered_json measure_statistics(const std::vector<std::string>& systems,
                                          const std::vector<std::vector<double>>& values,
                                          const StatisticsTerms& terms, Context& context);

}  // namespace podium
