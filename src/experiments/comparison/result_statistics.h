// The statistics of results.json: all pairs of systems, tested and adjusted, for every measure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/experiment.h"

namespace podium {

struct StatisticsTerms {
  PairedTest test = PairedTest::randomisation;
  Correction correction = Correction::max_t;
  double alpha = 0.05;
  std::size_t permutations = 10000;
};

struct SystemResult {
  std::string name;
  double figure = 0;           // shown in tables; the highest is the best
  std::vector<double> values;  // one per query, on the scale that is averaged; NaN: skipped
  // A system that failed on a fold has values for fewer queries: it is not tested, and never the
  // best.
  enum class Run { whole, failed } run = Run::whole;
};

// The statistics of one measure.
nlohmann::ordered_json measure_statistics(const std::vector<SystemResult>& systems,
                                          const StatisticsTerms& terms, Context& context);

}  // namespace podium
