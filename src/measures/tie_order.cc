#include "measures/tie_order.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace podium {

bool reorders_ties(const Dataset& data, Ties ties) {
  return (ties == Ties::docid && data.has_docids()) ||
         (ties == Ties::stable && !data.parts().input_rows.empty());
}

void place_ties(const Dataset& data, Ties ties, std::size_t q, std::span<std::uint32_t> place) {
  const std::size_t begin = data.begin(q);
  std::vector<std::uint32_t> order(place.size());
  std::iota(order.begin(), order.end(), 0U);
  if (reorders_ties(data, ties))
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return ties == Ties::docid ? data.docid(begin + i) > data.docid(begin + j)
                                 : data.input_row(begin + i) < data.input_row(begin + j);
    });
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
}

}  // namespace podium
