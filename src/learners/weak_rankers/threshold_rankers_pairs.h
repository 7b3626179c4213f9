// The pairs that losses over graded labels see: within a query, every two documents of different
// grades. Documents are kept sorted by grade, so that what factorises over a pair is summed without
// visiting pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "losses/pairwise/pair_options.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct PairOptions {
  PairScale pairs = PairScale::average;
  enum class Labels { graded, binary } labels = Labels::graded;
  double relevant_from = 1;  // labels=binary: good from this grade on
};

class GradedPairs {
 public:
  // Error when no query of any rank has a pair.
  GradedPairs(const Dataset& data, const PairOptions& options, Context& context);

  struct Query {
    std::size_t number;                   // in the data
    std::size_t begin;                    // its first document
    std::vector<std::uint32_t> by_grade;  // its documents from `begin`, worst grade first
    std::vector<std::uint32_t> ends;      // of the grades' runs in by_grade
    double weight;                        // of each pair; all ranks' pairs weigh 1 together
  };
  std::span<const Query> queries() const noexcept { return queries_; }
  std::size_t documents() const noexcept { return documents_; }  // of the data
  std::size_t skipped() const noexcept { return skipped_; }  // queries without a pair, of this rank
  double count() const noexcept { return count_; }           // pairs of all ranks

 private:
  std::vector<Query> queries_;
  std::size_t documents_ = 0;
  std::size_t skipped_ = 0;
  double count_ = 0;
};

}  // namespace podium
