// Bins of one training set, shared by training runs, sequential or parallel: tuning trials and the
// learners of a comparison use the same data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "trees/binned_dataset.h"

namespace podium {

class BinCache {
 public:
  // The data's bins under these options: computed by the first call, for which others wait. All
  // calls must be for the same data.
  std::shared_ptr<const BinnedDataset> bin(const Dataset& data, const BinOptions& options,
                                           Context& context);

 private:
  std::mutex mutex_;
  // By maximum bins and seed: both determine the cuts and how derivatives are rounded.
  std::map<std::pair<int, std::uint64_t>, std::shared_ptr<const BinnedDataset>> known_;
};

}  // namespace podium
