#include "trees/binned_dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "podium/error.h"
#include "trees/bin_documents.h"
#include "trees/category_bins.h"
#include "trees/feature_sample.h"

namespace podium {
namespace {

void check(const Dataset& data, const BinOptions& options) {
  if (options.max_bins < 2 || options.max_bins > 255)
    throw Error(ErrorCode::usage,
                fmt::format("‹max-bins›: trees cut a feature into 2 to 255 bins, not {}",
                            options.max_bins));
  if (options.max_category_bins < 2 || options.max_category_bins > 65535)
    throw Error(
        ErrorCode::usage,
        fmt::format("‹max-category-bins›: trees have 2 to 65535 bins for a category, not {}",
                    options.max_category_bins));
  if (options.sample_documents == 0)
    throw Error(ErrorCode::usage, "bin edges cannot be computed from a sample of 0 documents");
  if (data.documents() >= std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::data, fmt::format("{} documents are too many for trees in one process "
                                             "(the maximum is 2^32 - 2); spread them over several",
                                             data.documents()));
}

struct Cut {
  BinnedFeature feature;
  double default_share = 0;  // of the sample, in the largest bin
};

// The largest bin, and its share of the sample.
void find_default(const FeatureSample& sample, Cut& cut) {
  BinnedFeature& feature = cut.feature;
  std::vector<std::uint64_t> counts(feature.bins());
  std::uint64_t total = sample.missing;
  if (feature.has_missing) counts[feature.value_bins()] = sample.missing;
  std::size_t bin = 0;
  for (std::size_t i = 0; i < sample.values.values.size(); ++i) {
    while (bin < feature.thresholds.size() && sample.values.values[i] > feature.thresholds[bin])
      ++bin;
    counts[bin] += sample.values.counts[i];
    total += sample.values.counts[i];
  }
  const auto fullest = std::max_element(counts.begin(), counts.end());
  feature.default_bin = static_cast<std::uint32_t>(fullest - counts.begin());
  cut.default_share = total == 0 ? 0 : static_cast<double>(*fullest) / static_cast<double>(total);
}

Cut cut_feature(std::size_t number, const FeatureSample& sample, int max_bins) {
  Cut cut;
  BinnedFeature& feature = cut.feature;
  feature.feature = static_cast<std::uint32_t>(number);
  feature.has_missing = sample.any_missing;
  if (sample.values.values.empty()) {  // all values are missing
    feature.has_missing = false;
    return cut;
  }
  feature.thresholds =
      bin_thresholds(sample.values, static_cast<std::size_t>(max_bins) - sample.any_missing);
  feature.above_all = std::max(std::numeric_limits<float>::max(), sample.values.values.back());
  find_default(sample, cut);
  return cut;
}

// Bins that a byte cannot number are stored in sparse rows.
bool is_wide(const BinnedFeature& feature) {
  return feature.bins() > BinnedDataset::kBinStride;
}

}  // namespace

BinnedDataset BinnedDataset::bin(const Dataset& data, const BinOptions& options, Context& context) {
  check(data, options);
  BinnedDataset binned;
  binned.documents_ = data.documents();
  binned.features_ = data.features();

  std::vector<Cut> cuts(data.features());
  {
    const std::vector<std::uint64_t> keys = document_keys(data, context);
    sample_features(data, keys, options.sample_documents, context,
                    [&](std::size_t f, const FeatureSample& sample) {
                      if (data.schema().type(f) == FeatureType::number)
                        cuts[f] = cut_feature(f, sample, options.max_bins);
                    });
    for (CategoryBins& category : bin_categories(data, options, context)) {
      const std::uint32_t feature = category.feature.feature;
      cuts[feature] = {std::move(category.feature), category.default_share};
    }
    binned.keys_.resize(keys.size());
    std::copy(keys.begin(), keys.end(), binned.keys_.data());
  }
  return_freed_memory();  // of the samples
  for (Cut& cut : cuts) {
    BinnedFeature& feature = cut.feature;
    if (feature.bins() < 2) continue;
    // Values that a sparse row of the data omits must be in the bin that a sparse row of bins
    // omits. Where no row omits one, missing values may have no bin.
    if (!data.is_dense() && is_wide(feature)) {
      const std::uint32_t absent = find_bin(feature, data.parts().absent);
      if (absent < feature.bins()) feature.default_bin = absent;
    }
    const bool can_be_sparse =
        data.is_dense() || find_bin(feature, data.parts().absent) == feature.default_bin;
    const auto c = static_cast<std::uint32_t>(binned.columns_.size());
    if (is_wide(feature) || (can_be_sparse && cut.default_share >= options.sparse_from)) {
      feature.sparse_begin = binned.sparse_.bins;
      binned.sparse_.columns.push_back(c);
      binned.sparse_.bins += feature.bins();
    } else {
      if (binned.blocks_.empty() || binned.blocks_.back().width() == kBlockWidth)
        binned.blocks_.emplace_back();
      feature.block = static_cast<std::uint32_t>(binned.blocks_.size() - 1);
      feature.column = static_cast<std::uint32_t>(binned.blocks_.back().width());
      binned.blocks_.back().columns.push_back(c);
    }
    feature.first_bin = static_cast<std::uint32_t>(binned.total_bins_);
    binned.total_bins_ += feature.bins();
    binned.columns_.push_back(std::move(feature));
  }
  bin_documents(data, binned.columns_, binned.blocks_, binned.sparse_, options.storage,
                context.pool);
  return binned;
}

std::size_t BinnedDataset::bytes() const {
  std::size_t bytes = keys_.view().size_bytes() + sparse_.row_begin.view().size_bytes() +
                      sparse_.entries.view().size_bytes();
  for (const DenseBlock& block : blocks_) bytes += block.bins.size();
  return bytes;
}

BinnedDataset::Bin BinnedDataset::sparse_bin(const BinnedFeature& feature,
                                             std::size_t document) const {
  const auto row = sparse_.row(document);
  const auto at = std::lower_bound(row.begin(), row.end(), feature.sparse_begin);
  if (at == row.end() || *at >= feature.sparse_begin + feature.bins())
    return static_cast<Bin>(feature.default_bin);
  return static_cast<Bin>(*at - feature.sparse_begin);
}

// Rows that have an entry of almost every column have it shortly before the column's place.
BinnedDataset::Bin BinnedDataset::sparse_bin(const BinnedFeature& feature, std::size_t place,
                                             std::size_t document) const {
  const auto row = sparse_.row(document);
  if (2 * row.size() < sparse_.columns.size()) return sparse_bin(feature, document);
  std::size_t behind = std::min(place + 1, row.size());
  while (behind > 0 && row[behind - 1] >= feature.sparse_begin + feature.bins()) --behind;
  if (behind == 0 || row[behind - 1] < feature.sparse_begin)
    return static_cast<Bin>(feature.default_bin);
  return static_cast<Bin>(row[behind - 1] - feature.sparse_begin);
}

BinnedDataset::Bin BinnedDataset::bin_of(std::size_t column, std::size_t document) const {
  const BinnedFeature& feature = columns_[column];
  if (feature.is_sparse()) return sparse_bin(feature, document);
  const DenseBlock& block = blocks_[feature.block];
  return block.bins[document * block.width() + feature.column];
}

void BinnedDataset::bins_of(std::size_t column, std::span<const std::uint32_t> documents,
                            Bin* out) const {
  const BinnedFeature& feature = columns_[column];
  if (feature.is_sparse()) {
    const std::size_t place = static_cast<std::size_t>(
        std::lower_bound(sparse_.columns.begin(), sparse_.columns.end(), column) -
        sparse_.columns.begin());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i + kFetchedAhead < documents.size()) sparse_.fetch(documents[i + kFetchedAhead]);
      *out++ = sparse_bin(feature, place, documents[i]);
    }
    return;
  }
  const DenseBlock& block = blocks_[feature.block];
  const std::uint8_t* bins = block.bins.data() + feature.column;
  for (const std::uint32_t d : documents) *out++ = bins[d * block.width()];
}

}  // namespace podium
