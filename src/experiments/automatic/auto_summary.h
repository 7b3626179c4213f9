// The result of `auto` as JSON: what was chosen, what was tried, and the estimate.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/automatic/latency.h"
#include "experiments/automatic/nested_estimate.h"
#include "podium/auto.h"

namespace podium {

// A member left out: the out-of-fold value of the blend of the others.
struct LeftOut {
  std::size_t member;
  double value;
};
std::vector<LeftOut> ablation(const BlendChoice& choice, const BlendChooser& chooser,
                              const std::vector<std::size_t>& folds, Context& context);

struct AutoSummary {
  const AutoOptions& options;
  const CandidateTable& candidates;
  const Judging& judging;
  const TrainedCells& cells;
  const AutoRun& run;
  const Dataset& train;
  std::uint64_t seed = 1;
  SearchPlan plan = {};
  std::vector<std::size_t> not_tried = {};  // families, for want of time
  std::vector<JudgedCandidate> leaders = {}, judged = {};
  BlendChoice choice = {};
  std::vector<double> latencies = {};  // of the members
  std::vector<LatencyPoint> front = {};
  std::vector<std::size_t> kept = {};  // finalists within the latency
  std::vector<LeftOut> ablation = {};
  NestedEstimate estimate = {};
  std::size_t trials = 0;
  double seconds = 0;
};
nlohmann::ordered_json summary_json(const AutoSummary& summary, Context& context);

// The first error of a training run, or "".
std::string first_failure(const TrainedCells& cells);

}  // namespace podium
