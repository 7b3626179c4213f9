// Topics of a run and of judgements, joined by their documents' ids, as lists for the evaluator.
#pragma once

#include <cstdint>
#include <vector>

#include "measures/document_table.h"
#include "measures/trec_content.h"
#include "podium/evaluator.h"

namespace podium {

class TopicLists {
 public:
  TopicLists(const TrecContent& qrels, const TrecContent& run) : qrels_(qrels), run_(run) {}

  // Adds a query: the run's documents in file order (retrieved null: none), and the judged ones
  // that the run lacks.
  void add(const TrecContent::Topic& judged, const TrecContent::Topic* retrieved);

  // Valid until the next add.
  QueryLists view() const;

 private:
  void index_judgements();

  const TrecContent& qrels_;
  const TrecContent& run_;
  std::vector<std::uint64_t> query_begin_ = {0}, missing_begin_ = {0};
  std::vector<float> labels_, missing_;
  std::vector<double> scores_;
  std::vector<TrecId> ids_;

  std::vector<TrecDocument> judged_, retrieved_;  // of one topic
  std::vector<char> is_retrieved_;                // of judged_
  DocumentTable table_;                           // of judged_
};

}  // namespace podium
