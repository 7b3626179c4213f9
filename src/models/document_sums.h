// Sums of vectors over the documents of all ranks, with the same bits however queries are
// distributed over threads and ranks. Documents within a piece of a query, which no rank splits,
// are added in order, and the pieces in any order (core/order_free_sums.h).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "distributed/over_ranks.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Up to kDocuments consecutive documents of a query, counted from its first.
struct Piece {
  static constexpr std::size_t kDocuments = 1024;
  std::size_t query, begin, end;
};
std::vector<Piece> pieces_of(const Dataset& data);

// body(begin, end, sums) adds the summands of items begin … end − 1 of this rank. Into how many
// parts the items are cut goes by the threads and by the memory that sums take.
template <class Body>
std::vector<double> sum_over_items(std::size_t items, std::size_t width, Context& context,
                                   Body&& body) {
  constexpr std::size_t kMostElements = std::size_t{1} << 23, kLeastItems = 4;
  const auto threads = static_cast<std::size_t>(context.pool.threads());
  const std::size_t most = std::min(threads == 1 ? 1 : 4 * threads, items / kLeastItems);
  const std::size_t parts =
      std::clamp<std::size_t>(kMostElements / (width + 1), 1, std::max<std::size_t>(most, 1));
  std::vector<OrderFreeSums> sums(parts);
  parallel_for(context.pool, parts, 1, [&](std::size_t part, std::size_t) {
    sums[part] = OrderFreeSums(width);
    body(part * items / parts, (part + 1) * items / parts, sums[part]);
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0] += sums[part];
  return sum_over_ranks(std::move(sums[0]), context.comm);
}

// add(piece, sum) writes the sum over one piece's documents into zeros.
template <class Add>
std::vector<double> sum_over_pieces(const Dataset& data, std::size_t width, Context& context,
                                    Add&& add) {
  const std::vector<Piece> pieces = pieces_of(data);
  return sum_over_items(pieces.size(), width, context,
                        [&](std::size_t begin, std::size_t end, OrderFreeSums& sums) {
                          std::vector<double> sum(width);
                          for (std::size_t i = begin; i < end; ++i) {
                            std::fill(sum.begin(), sum.end(), 0.0);
                            add(pieces[i], std::span(sum));
                            sums.add(sum);
                          }
                        });
}

// <a, b> over the documents of all ranks; both have one element per document.
double inner_over_documents(const Dataset& data, std::span<const double> a,
                            std::span<const double> b, Context& context);

}  // namespace podium
