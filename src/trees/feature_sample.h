// What bin edges are computed from: each feature's range over all documents of all ranks, and how
// often its values occur in a sample of documents. Documents are chosen by a hash of their query's
// key and their place in it, so the sample is the same however they are spread over ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "trees/bin_edges.h"

namespace podium {

struct FeatureSample {
  ValueCounts values;         // of the sample, with the smallest and the largest of all documents
  std::uint64_t missing = 0;  // in the sample
  bool any_missing = false;   // in all documents
};

// One hash per document, uniform in 64 bits.
std::vector<std::uint64_t> document_keys(const Dataset& data, Context& context);

// Calls consume(feature, sample) once for each feature, from several threads, a few features at a
// time to limit memory. Collective: all ranks must call it.
void sample_features(const Dataset& data, const std::vector<std::uint64_t>& keys,
                     std::size_t most_documents, Context& context,
                     const std::function<void(std::size_t, const FeatureSample&)>& consume);

}  // namespace podium
