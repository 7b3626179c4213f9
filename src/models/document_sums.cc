#include "models/document_sums.h"

namespace podium {

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
