// Hashes of rows and queries by content:
//
//   row    the features that are not 0, with their columns, the label, and what training adds to
//          it: weight, position, initial score
//   query  the set of its rows (a sum, so that their order does not matter) and its weight
//
// They are the same for dense and sparse storage, for 0 and −0, and for all kinds of NaN. Names are
// not content.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/dataset.h"
#include "podium/thread_pool.h"

namespace podium {

struct ContentHashes {
  std::vector<std::uint64_t> rows;     // one per document
  std::vector<std::uint64_t> queries;  // one per query; equal for queries of equal content
  std::uint64_t fingerprint = 0;       // Dataset::fingerprint: of labels, groups and features only
};

// `offset`: initial scores, one per document; empty if there are none.
ContentHashes content_hashes(const Dataset& data, std::span<const double> offset, ThreadPool& pool);

}  // namespace podium
