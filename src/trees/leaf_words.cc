#include "trees/leaf_words.h"

#include <algorithm>

#include "trees/run_tasks.h"

namespace podium {

void LeafWords::resize(std::size_t documents, std::size_t pieces) {
  if (documents > ordered_.size()) ordered_.resize(documents);
  words_ = ordered_.view().first(documents);
  pieces_.resize(pieces);
}

void LeafWords::gather(std::span<const std::uint32_t> documents,
                       std::span<const std::uint64_t> words, ThreadPool& pool) {
  constexpr std::size_t kLength = WordPiece::kMostDocuments;
  const std::size_t n = documents.size(), pieces = (n + kLength - 1) / kLength;
  const bool all = n == words.size();
  resize(all ? 0 : n, pieces);
  if (all) words_ = words;
  run_tasks(pool, pieces, 4 * n, [&](std::size_t p) {
    WordPiece piece{p * kLength, {}, 0};
    for (std::size_t i = piece.begin; i < std::min(n, piece.begin + kLength); ++i) {
      const std::uint64_t word = words[all ? i : documents[i]];
      if (!all) set(i, word);
      piece.add(word);
    }
    set_piece(p, piece);
  });
}

DerivativeSums LeafWords::total() const {
  DerivativeSums total;
  for (const WordPiece& piece : pieces_) total += piece.sums;
  return total;
}

}  // namespace podium
