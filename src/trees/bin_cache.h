// Bins of one training set, shared by trainings that run one after another or side by side: the
// trials of a tuning and the learners of a comparison see the same data.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "trees/binned_dataset.h"

namespace podium {

class BinCache {
 public:
  // The data's bins under these options: cut on the first call, which others wait for. All calls
  // are about the same data.
  std::shared_ptr<const BinnedDataset> bin(const Dataset& data, const BinOptions& options,
                                           Context& context);

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<const BinnedDataset>> by_max_bins_;
};

}  // namespace podium
