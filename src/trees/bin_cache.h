// Bins of one training set, shared by trainings that run one after another or side by side: the
// trials of a tuning and the learners of a comparison see the same data.
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
  // The data's bins under these options: cut on the first call, which others wait for. All calls
  // are about the same data.
  std::shared_ptr<const BinnedDataset> bin(const Dataset& data, const BinOptions& options,
                                           Context& context);

 private:
  std::mutex mutex_;
  // By most bins and seed: both decide where cuts lie and how documents are rounded.
  std::map<std::pair<int, std::uint64_t>, std::shared_ptr<const BinnedDataset>> known_;
};

}  // namespace podium
