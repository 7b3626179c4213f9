// Sorting by score, and ten measures of the ranking.
#include <cmath>

#include "core/sort_scores.h"
#include "guard/kernels.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

constexpr std::string_view kTen = "nDCG@1,nDCG@5,nDCG@10,nDCG,AP,RR,ERR@10,P@10,AUC,PairAcc";

// The scores in lists of equal length, independent of the queries.
Kernel sort_lists(Workload& workload, std::size_t length) {
  const std::vector<double>& scores = workload.scores();
  const std::size_t lists = scores.size() / length;
  const auto keys = std::make_shared<std::vector<ScoreKey>>();
  const auto run = [&scores, keys, length, lists] {
    for (std::size_t list = 0; list < lists; ++list) {
      keys->clear();
      for (std::uint32_t i = 0; i < length; ++i)
        keys->push_back({descending_key(scores[list * length + i]), i});
      sort_keys(*keys);
    }
  };
  return {run, {.items = static_cast<double>(lists * length)}};
}

// Memory: a score and a label per document.
Kernel evaluate_scores(Workload& workload, std::vector<double> scores) {
  const Dataset& data = workload.data();
  const Convention& convention = find_convention("podium");
  const auto evaluator = std::make_shared<Evaluator>(parse_measures(kTen, convention), convention);
  const auto run = [&workload, &data, evaluator, scores = std::move(scores)] {
    evaluator->evaluate(data, scores, workload.context());
  };
  const auto documents = static_cast<double>(data.documents());
  return {run, {.items = documents, .memory_bytes = 12 * documents}};
}

}  // namespace

Kernel sort_long_lists(Workload& workload) {
  return sort_lists(workload, 1000);
}
Kernel sort_short_lists(Workload& workload) {
  return sort_lists(workload, 100);
}
Kernel evaluate_ten(Workload& workload) {
  return evaluate_scores(workload, workload.scores());
}
// About thirty distinct scores.
Kernel evaluate_ten_tied(Workload& workload) {
  std::vector<double> scores = workload.scores();
  for (double& score : scores) score = std::round(10 * score);
  return evaluate_scores(workload, std::move(scores));
}

}  // namespace podium
