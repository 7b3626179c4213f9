#include "losses/grade_blocks.h"

#include <algorithm>
#include <numeric>

namespace podium {

GradeBlocks::GradeBlocks(const Dataset& data, Order order) {
  const auto begin = data.query_begin();
  begin_.assign(begin.begin(), begin.end());
  documents_.resize(data.documents());
  block_begin_.push_back(0);
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    const auto own = std::span(documents_).subspan(begin_[q], labels.size());
    std::iota(own.begin(), own.end(), 0U);
    std::stable_sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
      return order == Order::best_first ? labels[a] > labels[b] : labels[a] < labels[b];
    });
    for (std::size_t at = 1; at <= own.size(); ++at)
      if (at == own.size() || labels[own[at]] != labels[own[at - 1]])
        ends_.push_back(static_cast<std::uint32_t>(at));
    block_begin_.push_back(ends_.size());
  }
}

}  // namespace podium
