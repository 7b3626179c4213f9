// Compares hashes of qids, one slice of their range after another, so that no rank holds the hashes
// of all queries; if two are equal, the qids themselves are compared.
#include "data/shares/qids_over_ranks.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kTogether = 1 << 20;  // approximate number of hashes compared at a time

struct Hashed {
  std::uint64_t hash;
  std::size_t query;
};

std::vector<Hashed> sorted_hashes(const Dataset& data) {
  std::vector<Hashed> hashes(data.queries());
  for (std::size_t q = 0; q < hashes.size(); ++q)
    hashes[q] = {XXH3_64bits(data.qid(q).data(), data.qid(q).size()), q};
  std::sort(hashes.begin(), hashes.end(),
            [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
  return hashes;
}

// The hashes that occur on more than one rank.
std::vector<std::uint64_t> shared_by_ranks(const std::vector<std::vector<std::uint64_t>>& ranks) {
  std::vector<std::uint64_t> all;
  for (const auto& hashes : ranks) all.insert(all.end(), hashes.begin(), hashes.end());
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> shared;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] == all[i - 1]) shared.push_back(all[i]);
  return shared;
}

// A qid that two ranks have.
std::optional<SplitQuery> compare(const std::vector<std::vector<std::string>>& ranks) {
  std::map<std::string_view, std::size_t> first_with;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    for (const std::string& qid : ranks[r]) {
      const auto [found, added] = first_with.try_emplace(qid, r);
      if (!added && found->second != r) return SplitQuery{qid, found->second, r};
    }
  return std::nullopt;
}

}  // namespace

std::optional<SplitQuery> find_split_query(const Dataset& share, Communicator& comm) {
  if (comm.size() == 1) return std::nullopt;
  auto queries = static_cast<std::int64_t>(share.queries());
  comm.all_reduce_sum(std::span(&queries, 1));
  const std::uint64_t slices = 1 + static_cast<std::uint64_t>(queries) / kTogether;
  const std::uint64_t step = ~std::uint64_t{0} / slices + 1;  // 0: everything at once
  const std::vector<Hashed> hashes = sorted_hashes(share);
  auto next = hashes.begin();
  for (std::uint64_t slice = 1; slice <= slices; ++slice) {
    const auto begin = next;
    std::vector<std::uint64_t> mine;
    for (; next != hashes.end() && (slice == slices || next->hash < slice * step); ++next)
      mine.push_back(next->hash);
    const auto shared = shared_by_ranks(gathered(mine, comm));
    if (shared.empty()) continue;
    std::vector<std::string> suspects;
    for (auto at = begin; at != next; ++at)
      if (std::binary_search(shared.begin(), shared.end(), at->hash))
        suspects.emplace_back(share.qid(at->query));
    if (auto found = compare(gathered(suspects, comm))) return found;
  }
  return std::nullopt;
}

void require_queries_apart(const Dataset& share, const std::string& file, Communicator& comm) {
  const std::optional<SplitQuery> split = find_split_query(share, comm);
  if (!split) return;
  throw Error(
      ErrorCode::data,
      fmt::format("qid {} appears in the part of rank {} after rank {} has already read its "
                  "query: make its rows contiguous (podium prepare does), or start fewer ranks",
                  split->qid, split->second, split->first),
      {gathered(file, comm)[split->second]});
}

}  // namespace podium
