// How long the members of a blend take to score a document, on one thread of this machine; and the
// best blend of some of them within a limit.
#pragma once

#include <vector>

#include "experiments/automatic/blend_choice.h"

namespace podium {

// Microseconds per document, compiled, for batches of some hundred documents.
double scoring_latency(const SavedModel& model, const Dataset& data);

// Subsets of the members, by latency, each better than all faster ones.
struct LatencyPoint {
  std::vector<std::size_t> members;  // indices
  double latency = 0;
  BlendWeights fit;
};
std::vector<LatencyPoint> latency_front(const std::vector<JudgedCandidate>& members,
                                        const std::vector<double>& latencies,
                                        const BlendChooser& chooser,
                                        const std::vector<std::size_t>& folds, Context& context);

}  // namespace podium
