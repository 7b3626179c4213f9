#include "learners/parametric/query_batches.h"

#include <algorithm>
#include <cstring>

#include "core/random.h"

namespace podium {

QueryBatches::QueryBatches(const Dataset& data, std::span<const std::size_t> queries,
                           std::size_t batch, Context& context)
    : queries_(queries.begin(), queries.end()), batch_(batch) {
  for (const std::size_t q : queries_) keys_.push_back(data.query_key(q));
  for (const auto& bytes : context.comm.all_gather(std::as_bytes(std::span(keys_)))) {
    const std::size_t before = all_.size();
    all_.resize(before + bytes.size() / sizeof(std::uint64_t));
    if (!bytes.empty()) std::memcpy(all_.data() + before, bytes.data(), bytes.size());
  }
  if (batch_ == 0) batch_ = std::clamp<std::size_t>(all_.size() / 100, 16, 256);
}

std::vector<std::vector<std::size_t>> QueryBatches::epoch(std::uint64_t seed) const {
  std::vector<std::uint64_t> order(all_.size());
  std::transform(all_.begin(), all_.end(), order.begin(),
                 [seed](std::uint64_t key) { return mix(seed, key); });
  std::sort(order.begin(), order.end());
  std::vector<std::uint64_t> first;  // of each batch
  for (std::size_t i = 0; i < order.size(); i += batch_) first.push_back(order[i]);
  std::vector<std::vector<std::size_t>> batches(first.size());
  for (std::size_t i = 0; i < queries_.size(); ++i) {
    const auto at = std::upper_bound(first.begin(), first.end(), mix(seed, keys_[i]));
    batches[static_cast<std::size_t>(at - first.begin()) - 1].push_back(queries_[i]);
  }
  return batches;
}

}  // namespace podium
