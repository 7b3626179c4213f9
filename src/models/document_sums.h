// Sums of vectors over the documents of all ranks, with the same bits however queries are
// distributed over threads and ranks. Documents within a piece of a query, which no rank splits,
// are added in order, and the pieces in any order (core/order_free_sums.h).
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
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

// Accumulators that tasks borrow, one per task at a time: as many as run at once, however many
// tasks there are.
class BorrowedSums {
 public:
  explicit BorrowedSums(std::size_t width) : width_(width) {}

  // use(sums) with an accumulator that no other task has meanwhile.
  template <class Use>
  void lend(Use&& use) {
    OrderFreeSums& sums = borrow();
    use(sums);
    give_back(sums);
  }

  // The sums over all accumulators of all ranks; the accumulators are 0 again.
  std::vector<double> total(Context& context);
  // Forgets what was added, also by tasks that did not end.
  void reset();

 private:
  OrderFreeSums& borrow();
  void give_back(OrderFreeSums& sums);

  std::size_t width_;
  std::mutex mutex_;
  std::deque<OrderFreeSums> sums_;  // at addresses that do not change
  std::vector<OrderFreeSums*> free_;
  bool dirty_ = false;  // something was lent since the last total
};

// body(begin, end, sums) adds the summands of items begin … end − 1 of this rank. Into how many
// parts the items are cut goes by the threads and by the memory that sums take.
template <class Body>
std::vector<double> sum_over_items(std::size_t items, std::size_t width, Context& context,
                                   Body&& body) {
  constexpr std::size_t kMostElements = std::size_t{1} << 23, kPartsPerThread = 4;
  const auto threads = static_cast<std::size_t>(context.pool.threads());
  const std::size_t most_sums = std::max<std::size_t>(1, kMostElements / (width + 1));
  const std::size_t wanted = threads == 1 ? 1 : kPartsPerThread * threads;
  const std::size_t parts =
      std::clamp<std::size_t>(items, 1, most_sums < threads ? most_sums : wanted);
  BorrowedSums borrowed(width);
  context.pool.run(parts, [&](std::size_t part) {
    borrowed.lend(
        [&](OrderFreeSums& sums) { body(part * items / parts, (part + 1) * items / parts, sums); });
  });
  return borrowed.total(context);
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
