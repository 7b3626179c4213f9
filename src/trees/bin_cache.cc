#include "trees/bin_cache.h"

namespace podium {

std::shared_ptr<const BinnedDataset> BinCache::bin(const Dataset& data, const BinOptions& options,
                                                   Context& context) {
  const std::scoped_lock lock(mutex_);
  auto& known = known_[{options.max_bins, options.max_category_bins, options.min_category_docs,
                        context.seed}];
  if (!known)
    known = std::make_shared<const BinnedDataset>(BinnedDataset::bin(data, options, context));
  return known;
}

}  // namespace podium
