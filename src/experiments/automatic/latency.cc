#include "experiments/automatic/latency.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "podium/compiled_model.h"

namespace podium {
namespace {

constexpr std::size_t kTimedDocuments = 512;
constexpr int kTimedRuns = 5;  // the fastest counts: the others were disturbed

Dataset first_documents(const SavedModel& model, const Dataset& data) {
  std::size_t queries = 0;
  while (queries < data.queries() && data.begin(queries) < kTimedDocuments) ++queries;
  Transform selection;
  selection.features = model.features;
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer silent;
  Context context{1, pool, *comm, silent};
  return apply(selection, query_range(data, 0, queries), context);
}

}  // namespace

double scoring_latency(const SavedModel& model, const Dataset& data) {
  const CompiledModel compiled(model);
  const Dataset documents = first_documents(model, data);
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kTimedRuns; ++run) {
    const auto began = std::chrono::steady_clock::now();
    compiled.score(documents);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
    best = std::min(best, took.count());
  }
  return best / static_cast<double>(documents.documents());
}

std::vector<LatencyPoint> latency_front(const std::vector<JudgedCandidate>& members,
                                        const std::vector<double>& latencies,
                                        const BlendChooser& chooser,
                                        const std::vector<std::size_t>& folds, Context& context) {
  std::vector<LatencyPoint> points;
  for (std::size_t set = 1; set < std::size_t{1} << members.size(); ++set) {
    LatencyPoint point;
    std::vector<JudgedCandidate> some;
    for (std::size_t m = 0; m < members.size(); ++m) {
      if ((set >> m & 1) == 0) continue;
      point.members.push_back(m);
      point.latency += latencies[m];
      some.push_back(members[m]);
    }
    point.fit = chooser.weights(some, folds, context);
    points.push_back(std::move(point));
  }
  std::stable_sort(points.begin(), points.end(), [](const LatencyPoint& a, const LatencyPoint& b) {
    return a.latency < b.latency;
  });
  double best = -std::numeric_limits<double>::infinity();
  std::erase_if(points, [&](const LatencyPoint& point) {
    const bool better = point.fit.value > best;
    if (better) best = point.fit.value;
    return !better;
  });
  return points;
}

}  // namespace podium
