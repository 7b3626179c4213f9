// What the two scorers of a device share: which features are sent, in which order, and how the
// kernel is started.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/device_queue.h"
#include "models/forest/device/forest_kernels.h"
#include "models/forest/feature_block.h"
#include "podium/dataset.h"
#include "podium/model.h"
#include "podium/thread_pool.h"

namespace podium {

// Ascending.
std::vector<std::uint32_t> features_in_use(std::span<const Tree> trees, std::size_t features);

// The columns of documents begin … begin + count − 1, one after the other.
void fill_columns(const Dataset& data, std::size_t begin, std::size_t count,
                  const BlockColumns& columns, std::span<float> out, ThreadPool& pool);

// How many documents of a block have their columns in shared memory; 0: none.
std::uint32_t staged_documents(std::size_t trees, std::size_t columns);
// `staged`: as above, for these trees; documents_per_block follows from it.
void add_trees(DeviceQueue& queue, AddTreesArgs args, std::uint32_t staged);

}  // namespace podium
