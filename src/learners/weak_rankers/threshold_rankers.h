// Threshold weak rankers h(x) = [x_f > θ] over all features and candidate thresholds: the weak
// learners of RankBoost [Freund03] and FRank [Tsai07]. A loss over pairs chooses the ranker with
// the largest correlation
//
//   |r(f, θ)| = |Σ_i π_i h(x_i)|,   π_i = −∂L/∂s_i  (the potential of document i)
//
// found for every threshold of a feature by one pass over its documents. Potentials are integers
// (fixed point), so r depends neither on the number of threads nor on how the documents are
// distributed over ranks. A missing value has the h, 0 or 1, that makes |r| larger.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/spill_array.h"
#include "podium/context.h"
#include "podium/model.h"

namespace podium {

struct ThresholdRanker {
  std::uint32_t feature = 0;
  float threshold = 0;
  Tree::Node::Missing missing = Tree::Node::Missing::left;  // right: h = 1
  std::int64_t correlation = 0;                             // r, signed, in units of the potentials
};

class ThresholdRankers {
 public:
  // Maximum thresholds per feature: codes are two bytes.
  static constexpr std::int64_t kMostThresholds = 65533;

  // Thresholds are halfway between neighbouring values of all ranks' documents: between all of them
  // (limit 0), or at quantiles if a feature has more than limit + 1 distinct values. With a limit,
  // values are those of a sample of documents (trees/feature_sample.h).
  ThresholdRankers(const Dataset& data, std::int64_t limit, Context& context);

  std::span<const float> thresholds(std::size_t feature) const { return columns_[feature].cuts; }

  // The first of the rankers with the largest |r|; nullopt if every r is 0. One potential per
  // document of this rank; their sum over all ranks must not overflow.
  std::optional<ThresholdRanker> choose(std::span<const std::int64_t> potentials,
                                        Context& context) const;

  // h of each document.
  std::vector<std::uint8_t> indicator(const ThresholdRanker& ranker) const;

 private:
  // A document's code is the number of thresholds below its value, or kMissing.
  struct Column {
    std::vector<float> cuts;           // ascending
    std::size_t begin = 0, count = 0;  // its codes: of all documents, or of those listed
    std::uint16_t rest = 0;            // the code of documents that are not listed
    std::size_t offset = 0;            // of the column's sums among those of all columns
    std::size_t sums() const { return cuts.size() + 2; }  // one per code, the last for missing
  };
  void encode_dense(const Dataset& data, ThreadPool& pool);
  void encode_sparse(const Dataset& data);
  void add_up(const Column& column, std::span<const std::int64_t> potentials, std::int64_t total,
              std::span<std::int64_t> sums) const;

  std::size_t documents_ = 0;
  std::size_t all_sums_ = 0;
  std::vector<Column> columns_;
  SpillArray<std::uint16_t> codes_;   // column by column
  SpillArray<std::uint32_t> listed_;  // sparse: the documents of the codes
};

// h for each document of other data.
std::vector<std::uint8_t> indicator(const ThresholdRanker& ranker, const Dataset& data,
                                    ThreadPool& pool);

}  // namespace podium
