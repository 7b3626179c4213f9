// The bins of categories: the most frequent values have one each, in the order of their codes. Rare
// values, with fewer than ‹min-category-docs› documents or beyond ‹max-category-bins›, share the
// bin of missing values, so a tree treats them like values that it has never seen. Counts are over
// all documents of all ranks; of equally frequent values the first is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "trees/binned_dataset.h"

namespace podium {

struct CategoryBins {
  BinnedFeature feature;
  double default_share = 0;  // of all documents, in the largest bin
};

// One per category of the data. Collective: all ranks must call it.
std::vector<CategoryBins> bin_categories(const Dataset& data, const BinOptions& options,
                                         Context& context);

// From the number of documents of each code, and of missing values.
CategoryBins choose_category_bins(std::uint32_t feature, std::span<const std::int64_t> counts,
                                  std::int64_t missing, const BinOptions& options);

// The bin of each code.
class CategoryTable {
 public:
  CategoryTable() = default;  // of a number
  explicit CategoryTable(const BinnedFeature& feature);

  bool empty() const { return bins_.empty(); }
  std::uint32_t feature() const { return feature_; }
  // Codes beyond the last kept one are rare.
  BinnedDataset::Bin operator()(float x) const {
    const auto code = code_of(x, bins_.size());
    return code ? bins_[*code] : rare_;
  }

 private:
  std::uint32_t feature_ = 0;
  BinnedDataset::Bin rare_ = 0;
  std::vector<BinnedDataset::Bin> bins_;
};

}  // namespace podium
