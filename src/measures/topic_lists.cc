#include "measures/topic_lists.h"

#include <limits>

namespace podium {

void TopicLists::index_judgements() {
  table_.reset(judged_.size());
  is_retrieved_.assign(judged_.size(), 0);
  for (std::uint32_t j = 0; j < judged_.size(); ++j)
    table_.find_or_insert(judged_[j].hash, j, [](std::uint32_t) { return false; });
}

void TopicLists::add(const TrecContent::Topic& judged, const TrecContent::Topic* retrieved) {
  qrels_.gather(judged, judged_);
  retrieved_.clear();
  if (retrieved) run_.gather(*retrieved, retrieved_);
  index_judgements();
  for (const TrecDocument& document : retrieved_) {
    const std::uint32_t j = table_.find(document.hash, [&](std::uint32_t other) {
      return judged_[other].id.text() == document.id.text();
    });
    float label = std::numeric_limits<float>::quiet_NaN();
    if (j != DocumentTable::kNone) {
      label = static_cast<float>(judged_[j].value);
      is_retrieved_[j] = 1;
    }
    labels_.push_back(label);
    scores_.push_back(document.value);
    ids_.push_back(document.id);
  }
  for (std::size_t j = 0; j < judged_.size(); ++j)
    if (!is_retrieved_[j]) missing_.push_back(static_cast<float>(judged_[j].value));
  query_begin_.push_back(labels_.size());
  missing_begin_.push_back(missing_.size());
}

QueryLists TopicLists::view() const {
  return {.query_begin = query_begin_,
          .labels = labels_,
          .scores = scores_,
          .docid = [this](std::size_t d) { return ids_[d].text(); },
          .missing_begin = missing_begin_,
          .missing = missing_};
}

}  // namespace podium
