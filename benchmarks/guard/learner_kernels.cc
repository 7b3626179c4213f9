// The exact line search, and a whole training run of RankSVM.
#include "guard/kernels.h"
#include "line_search/exact_line_search.h"
#include "podium/learner.h"

namespace podium {
namespace {

// Memory: two numbers and a label per document.
Kernel search_line(Workload& workload, std::string_view measure) {
  const Dataset& data = workload.data();
  const std::vector<double>&base = workload.scores(), &direction = workload.direction();
  const auto search = std::make_shared<ExactLineSearch>(data, parse_measure(measure, {}),
                                                        Convention{}, workload.context());
  const auto run = [&workload, &base, &direction, search] {
    search->search({.base = base, .direction = direction}, workload.context());
  };
  const auto documents = static_cast<double>(data.documents());
  return {run, {.items = documents, .memory_bytes = 20 * documents}};
}

}  // namespace

Kernel line_search_ndcg(Workload& workload) {
  return search_line(workload, "nDCG@10");
}
Kernel line_search_ap(Workload& workload) {
  return search_line(workload, "AP");
}

Kernel train_ranksvm(Workload& workload) {
  const auto data = std::make_shared<Dataset>(query_range(workload.data(), 0, 4));
  const std::shared_ptr<const Learner> learner = learners().make("ranksvm", {{"C", "1"}});
  const auto run = [&workload, data, learner] {
    const TrainingProblem problem{*data, nullptr, parse_measure("nDCG@10", {}), {}};
    learner->train(problem, workload.context());
  };
  return {run, {.items = static_cast<double>(data->documents())}};
}

}  // namespace podium
