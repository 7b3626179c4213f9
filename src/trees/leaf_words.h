// The words of a leaf's documents, in the leaf's order, with sums over pieces of them: a piece is
// so short that its words add up without overflow, and its sums say how many pieces in a row do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/page_array.h"
#include "podium/thread_pool.h"
#include "trees/quantized_derivatives.h"

namespace podium {

struct WordPiece {
  static constexpr std::size_t kMostDocuments = 1024;
  static_assert(kMostFirst * static_cast<std::int64_t>(kMostDocuments) <= kMostFirstSum);
  static_assert(kMostSecond * static_cast<std::int64_t>(kMostDocuments) <= kMostSecondSum);

  std::size_t begin = 0;  // in the leaf; it ends where the next piece begins
  DerivativeSums sums;
  std::int64_t absolute_first = 0;

  void add(std::uint64_t word) {
    const DerivativeSums one = unpack(word);
    sums += one;
    absolute_first += std::abs(one.first);
  }
};

class LeafWords {
 public:
  // Those of `documents` (ascending), from one word per document of the data.
  void gather(std::span<const std::uint32_t> documents, std::span<const std::uint64_t> words,
              ThreadPool& pool);

  // Room for as many documents and pieces, which the caller fills: all words, all pieces.
  void resize(std::size_t documents, std::size_t pieces);
  void set(std::size_t i, std::uint64_t word) { ordered_[i] = word; }
  void set_piece(std::size_t p, const WordPiece& piece) { pieces_[p] = piece; }

  std::span<const std::uint64_t> words() const { return words_; }
  std::span<const WordPiece> pieces() const { return pieces_; }
  DerivativeSums total() const;

 private:
  PageArray<std::uint64_t> ordered_;
  std::span<const std::uint64_t> words_;  // of ordered_, or of the data when the leaf has all of it
  std::vector<WordPiece> pieces_;
};

}  // namespace podium
