// Mini-batches of queries. Every epoch orders all queries of all ranks by a hash of seed, epoch and
// key and cuts that order into batches, so a batch holds the same queries however they are shared
// out among ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class QueryBatches {
 public:
  // `batch` 0: a hundredth of all ranks' queries, from 16 to 256.
  QueryBatches(const Dataset& data, std::span<const std::size_t> queries, std::size_t batch,
               Context& context);

  // The same number of batches on every rank: this rank's queries of each batch, in the data's
  // order.
  std::vector<std::vector<std::size_t>> epoch(std::uint64_t seed) const;

 private:
  std::vector<std::size_t> queries_;  // here
  std::vector<std::uint64_t> keys_;   // of these queries,
  std::vector<std::uint64_t> all_;    // and of all ranks'
  std::size_t batch_;
};

}  // namespace podium
