#include "models/document_sums.h"

namespace podium {
namespace {

constexpr std::size_t kReducedElements = 128;  // per task

}  // namespace

void BorrowedSums::reset() {
  if (!dirty_) return;
  free_.clear();
  sums_.clear();
  dirty_ = false;
}

OrderFreeSums& BorrowedSums::borrow() {
  const std::scoped_lock lock(mutex_);
  dirty_ = true;
  if (free_.empty()) return sums_.emplace_back(width_);
  OrderFreeSums& sums = *free_.back();
  free_.pop_back();
  return sums;
}

void BorrowedSums::give_back(OrderFreeSums& sums) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(&sums);
}

std::vector<double> BorrowedSums::total(Context& context) {
  if (sums_.empty()) sums_.emplace_back(width_);
  const bool alone = context.comm.size() == 1;
  std::vector<double> values(alone ? width_ : 0);
  parallel_for(context.pool, width_, kReducedElements, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = 1; i < sums_.size(); ++i) {
      sums_[0].add(sums_[i], begin, end);
      sums_[i].clear(begin, end);
    }
    if (!alone) return;
    for (std::size_t i = begin; i < end; ++i) values[i] = sums_[0].value(i);
    sums_[0].clear(begin, end);
  });
  dirty_ = false;
  if (alone) return values;
  values = sum_over_ranks(std::move(sums_[0]), context.comm);
  sums_[0] = OrderFreeSums(width_);
  return values;
}

std::vector<Piece> pieces_of(const Dataset& data) {
  std::vector<Piece> pieces;
  pieces.reserve(data.queries());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t last = data.end(q);
    for (std::size_t begin = data.begin(q); begin < last; begin += Piece::kDocuments)
      pieces.push_back({q, begin, std::min(last, begin + Piece::kDocuments)});
  }
  return pieces;
}

double inner_over_documents(const Dataset& data, std::span<const double> a,
                            std::span<const double> b, Context& context) {
  constexpr std::size_t kQueryChunk = 64;
  std::vector<double> sums(data.queries());
  parallel_for(context.pool, data.queries(), kQueryChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      double sum = 0;
      for (std::size_t i = data.begin(q), last = data.end(q); i < last; ++i) sum += a[i] * b[i];
      sums[q] = sum;
    }
  });
  return sum_over_ranks(sums, context.comm);
}

}  // namespace podium
