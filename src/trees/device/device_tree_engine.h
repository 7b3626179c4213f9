// The engine that grows trees on a device with its own memory (tree_engine.h), by the kernels of
// this folder. In a tree the host waits for the device once per split, for the split itself.
//
// Splits by category are searched on the host, in downloaded bins: they need sorting, and few
// columns are categories.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "device/pinned_array.h"
#include "podium/context.h"
#include "trees/device/derivative_kernels.h"
#include "trees/device/device_bins.h"
#include "trees/device/fold_search_kernel.h"
#include "trees/device/histogram_kernels.h"
#include "trees/device/leaf_kernels.h"
#include "trees/device/partition_kernels.h"
#include "trees/tree_engine.h"

namespace podium {

class DeviceTreeEngine final : public TreeEngine {
 public:
  // All must outlive the engine.
  DeviceTreeEngine(const BinnedDataset& data, std::span<const std::int8_t> directions,
                   DeviceQueue& queue, Context& context);

  // The target of the next tree: derivatives in the device's memory.
  struct Target {
    OutputDerivatives derivatives;
    DocumentSample sample = {};
    std::uint64_t number = 1;
    double l2 = 0;
  };
  // `leaf_of`: in the device's memory, gets the leaf of each document: leaf_values() writes those
  // of the sample, write_leaves() then those of the others.
  void set_target(const Target& target, std::uint32_t* leaf_of) {
    target_ = target;
    leaf_of_ = leaf_of;
  }
  void write_leaves(const Tree& tree);
  // Memory for leaf_of that is free from leaf_values() until the next tree is begun: that of words.
  std::uint32_t* spare_leaf_of() { return reinterpret_cast<std::uint32_t*>(words_.data()); }
  const std::uint32_t* spare_leaf_of() const {
    return reinterpret_cast<const std::uint32_t*>(words_.data());
  }

  Root start() override;
  void use_columns(std::span<const std::uint32_t> columns) override;
  std::size_t split(const LeafSplit& split, std::optional<ChildSide> gathered) override;
  void gather(const LeafRange& leaf) override;
  void add(const LeafRange& leaf, std::size_t histogram) override;
  void complete(std::size_t histogram) override;
  DerivativeSums total() override;
  void add_ranks(std::span<const RankedHistogram> histograms) override;
  bool divides_ahead() const override { return false; }  // splits are noted in their order
  std::vector<Split> search(const SplitFinder& finder, std::span<const LeafSearch> leaves,
                            const Unfinished& unfinished) override;
  void finish(const Unfinished& unfinished) override;
  ConstHistogram on_host(std::size_t number, std::span<const std::uint32_t> columns) override;
  std::vector<double> leaf_values(std::span<const LeafRange> leaves, double l2) override;

 private:
  // One per document of the sample, or of the data.
  DocumentList documents() const;
  DeviceRoute device_route(std::span<const std::uint8_t> left);
  // The documents of a leaf that has some, from its first place.
  std::uint32_t* order(std::size_t begin) { return order_[array_of_.at(begin)].data() + begin; }
  FoldSearchArgs fold_args(const Unfinished& unfinished);
  void set_leaves(FoldSearchArgs& args, const SplitFinder& finder,
                  std::span<const LeafSearch> leaves);
  void fold_and_search(const FoldSearchArgs& args);
  void subtract(const Unfinished& unfinished);
  void search_categories(const SplitFinder& finder, std::span<const LeafSearch> leaves,
                         std::span<Split> best);

  const BinnedDataset& data_;
  DeviceQueue& queue_;
  Context& context_;
  DeviceBins bins_;
  Target target_;
  std::uint32_t* leaf_of_ = nullptr;

  // Of the tree that is grown.
  DerivativeExtent extent_;
  DeviceArray<std::uint32_t> sample_;
  DeviceArray<std::uint64_t> words_;
  DeviceArray<std::uint32_t> order_[2];
  std::map<std::size_t, unsigned> array_of_;  // by a leaf's first place: which order_ it is in
  std::vector<DeviceNode> nodes_;             // without children
  DeviceArray<std::uint8_t> route_tables_;
  std::size_t tables_used_ = 0;

  // Columns in use.
  std::vector<std::uint32_t> columns_, categories_;
  bool has_numbers_ = false;
  std::uint32_t used_groups_ = 0;
  bool uses_sparse_ = false;
  DeviceArray<std::uint32_t> device_columns_, device_groups_, place_of_group_;

  // Of the leaf whose words were gathered last: here, only summed.
  DeviceArray<DerivativeSums> total_;
  DeviceArray<SlicedTable> tables_;
  std::uint32_t slices_ = 0;
  DeviceArray<SparseSums> sparse_sums_;

  std::vector<DeviceArray<DerivativeSums>> histograms_;
  std::vector<DerivativeSums> host_histograms_[kMostSearched];  // the bins of some columns

  // Scratch memory.
  DeviceArray<std::uint8_t> goes_left_;
  DeviceArray<std::uint32_t> lefts_;  // by chunk, and in all
  DeviceArray<std::uint32_t> come_;   // blocks of a kernel: 0
  DeviceArray<FoundSplit> found_, best_;
  PinnedArray<FoundSplit> host_best_;
  DeviceArray<char> allowed_;
  DeviceArray<ExtentBits> extent_bits_;
  DeviceArray<DeviceLeafPiece> pieces_;
  DeviceArray<LeafSum> leaf_sums_;
  DeviceArray<DeviceNode> device_nodes_;
};

}  // namespace podium
