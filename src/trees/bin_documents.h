// Fills a BinnedDataset's arrays: the bin of every value of every document.
#pragma once

#include <span>
#include <vector>

#include "trees/binned_dataset.h"

namespace podium {

// Blocks and rows have their columns set; their arrays are allocated and filled here. Sparse data
// is never expanded to dense floats. `storage` of the arrays; nullopt: in memory if they fit.
void bin_documents(const Dataset& data, std::span<const BinnedFeature> columns,
                   std::vector<BinnedDataset::DenseBlock>& blocks,
                   BinnedDataset::SparseRows& sparse, std::optional<Storage> storage,
                   ThreadPool& pool);

// The bin of one value.
BinnedDataset::Bin find_bin(const BinnedFeature& feature, float x);

}  // namespace podium
