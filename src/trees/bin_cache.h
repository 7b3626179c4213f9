// Bins of one training set, shared by training runs, sequential or parallel: tuning trials and the
// learners of a comparison use the same data.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

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
  // By what determines the cuts, and the seed, which also determines how derivatives are rounded.
  struct Key {
    int max_bins, max_category_bins;
    std::int64_t min_category_docs;
    std::uint64_t seed;
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, std::shared_ptr<const BinnedDataset>> known_;
};

}  // namespace podium
