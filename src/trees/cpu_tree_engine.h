// The engine that grows trees by the threads of the context's pool (tree_engine.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/page_array.h"
#include "podium/context.h"
#include "trees/histogram.h"
#include "trees/tree_engine.h"

namespace podium {

// The target of a tree: one element per document.
struct TreeTarget {
  std::span<const double> first, second;  // derivatives; second empty: 1 for each document
  // The documents to learn from, ascending (if this rank has none: an empty list); nullopt: all.
  DocumentSample sample = {};
  std::uint64_t number = 1;  // of the tree, for random choices by hash
};

class CpuTreeEngine final : public TreeEngine {
 public:
  // Data and context must outlive the engine.
  CpuTreeEngine(const BinnedDataset& data, Context& context);

  // Of the next tree; λ limits the rounding (quantized_derivatives.h).
  void set_target(const TreeTarget& target, double l2);
  // The leaf of each document of the sample, once the tree is grown.
  void write_leaves(std::span<const LeafRange> leaves, std::span<std::uint32_t> leaf_of) const;

  // Throws an Error (training) if a derivative is not finite or a second one is negative.
  Root start() override;
  void use_columns(std::span<const std::uint32_t> columns) override;
  std::size_t split(const LeafSplit& split, std::optional<ChildSide> gathered) override;
  void gather(const LeafRange& leaf) override;
  void add(const LeafRange& leaf, std::size_t histogram) override;
  void complete(std::size_t histogram) override;
  DerivativeSums total() override { return words_.total(); }
  void add_ranks(std::span<const RankedHistogram> histograms) override;
  bool divides_ahead() const override { return true; }
  std::vector<Split> search(const SplitFinder& finder, std::span<const LeafSearch> leaves,
                            const Unfinished& unfinished) override;
  void finish(const Unfinished& unfinished) override;
  ConstHistogram on_host(std::size_t number, std::span<const std::uint32_t> columns) override;
  std::vector<double> leaf_values(std::span<const LeafRange> leaves, double l2) override;

 private:
  Histogram histogram(std::size_t number) {
    return {histograms_[number].data(), data_.total_bins()};
  }

  void finish(std::uint32_t column, const Unfinished& unfinished);

  const BinnedDataset& data_;
  Context& context_;
  TreeTarget target_;
  double l2_ = 0;
  std::vector<std::uint32_t> columns_;  // in use
  HistogramBuilder builder_;
  QuantizedDerivatives derivatives_;
  DocumentPartition partition_;
  LeafWords words_;  // of the leaf whose histogram is next
  std::vector<PageArray<DerivativeSums>> histograms_;
};

}  // namespace podium
