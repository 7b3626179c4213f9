#include "losses/relevance_split.h"

#include <algorithm>

namespace podium {

RelevanceSplit::RelevanceSplit(const Dataset& data, double relevant_from) {
  const auto begin = data.query_begin();
  begin_.assign(begin.begin(), begin.end());
  documents_.resize(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    std::size_t good = begin_[q];
    std::size_t bad =
        begin_[q] + static_cast<std::size_t>(std::count_if(
                        labels.begin(), labels.end(), [&](float y) { return y >= relevant_from; }));
    goods_.push_back(bad - good);
    for (std::size_t i = 0; i < labels.size(); ++i)
      documents_[labels[i] >= relevant_from ? good++ : bad++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace podium
