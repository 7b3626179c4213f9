// The value of every measure for every query, and their averages: shared by evaluations of lists in
// memory and of lists that are built topic by topic.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "podium/communicator.h"
#include "podium/evaluator.h"

namespace podium {

class QueryValues {
 public:
  // The evaluator must outlive it.
  QueryValues(const Evaluator& evaluator, std::size_t queries);

  // Evaluates queries begin … end − 1 of the lists, as queries `at` and following of the
  // evaluation. Tasks may call it concurrently for different queries of the evaluation. Measures
  // that take long for a list check `stop`.
  void measure(const QueryLists& lists, std::size_t begin, std::size_t end, std::size_t at,
               StopCheck stop);

  // Without qids.
  Evaluation aggregate(std::span<const float> query_weights, Communicator& comm) &&;

 private:
  const Evaluator& evaluator_;
  std::vector<std::vector<double>> values_;  // [measure][query]
  std::vector<char> is_empty_;               // no relevant document; one per query
};

}  // namespace podium
