// A loss on a device with its own memory: derivatives are computed where trees are grown
// (trees/tree_grower.h), so that neither they nor scores travel. Values and derivatives have the
// same bits as those of the BoundLoss it was made from, as learners/boosting/boosted_loss.h sums
// them.
//
// Life of a training: BoundLoss::on_device() uploads what depends only on the data → each round
// evaluate() starts the loss's kernels, one block of threads per query, and downloads one number
// per query. Stop requests are not checked inside lists: the slowest take fractions of a second.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/exact_sum.h"
#include "device/device_array.h"
#include "losses/device/loss_arrays.h"

namespace podium {

// Where a loss is computed, and on which documents.
struct DeviceLossSite {
  DeviceQueue& queue;
  std::span<const std::uint64_t> query_begin;  // queries + 1
  // For each query the places of its documents in the order of rows; empty: all stored like that.
  std::span<const std::uint32_t> row_order = {};
  std::span<const double> query_counts = {};  // how often each query counts; empty: once

  std::size_t queries() const { return query_begin.size() - 1; }
};

class DeviceLoss {
 public:
  explicit DeviceLoss(const DeviceLossSite& site);
  virtual ~DeviceLoss() = default;

  // In the device's memory, `outputs` numbers per document. All derivatives are written.
  struct At {
    const double* scores;
    double *first, *second;
  };
  // The sum over this rank's queries of their losses or, for λ-rules, of the squared lengths of
  // their gradients. Not a number if a score is not finite; the derivatives are then not valid.
  ExactSum evaluate(const At& at);

 protected:
  // Starts the kernels, which write the value of each query.
  virtual void launch(const LossArrays& arrays) = 0;

  DeviceQueue& queue() const { return queue_; }

 private:
  DeviceQueue& queue_;
  DeviceArray<std::uint64_t> begin_;
  DeviceArray<std::uint32_t> stored_;
  DeviceArray<double> counts_, values_;
  std::vector<double> host_values_;
};

// Queries by length, so that those of one launch need similar memory: for each of the ascending
// `limits` those with up to so many documents, and then the others, the longest first.
std::vector<std::vector<std::uint32_t>> queries_by_length(
    std::span<const std::uint64_t> query_begin, std::span<const std::uint32_t> queries,
    std::span<const std::size_t> limits);

}  // namespace podium
