// Every measure's value of every query, then their averages: what evaluations of lists that lie
// side by side and of lists that are made topic by topic share.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/evaluator.h"

namespace podium {

class QueryValues {
 public:
  // The evaluator must outlive it.
  QueryValues(const Evaluator& evaluator, std::size_t queries);

  // Measures queries begin … end − 1 of the lists, as queries `at` and on of the evaluation. Tasks
  // may call it at the same time for different queries of the evaluation. Measures that take long
  // over a list ask `stop`.
  void measure(const QueryLists& lists, std::size_t begin, std::size_t end, std::size_t at,
               StopCheck stop);

  // Without qids.
  Evaluation aggregate(std::span<const float> query_weights, Context& context) &&;

 private:
  const Evaluator& evaluator_;
  std::vector<std::vector<double>> values_;  // [measure][query]
  std::vector<char> is_empty_;               // no relevant document; one per query
};

}  // namespace podium
