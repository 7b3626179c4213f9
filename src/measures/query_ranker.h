// Ranks one query: sorts its documents by score, resolves ties by the convention, applies list
// limits, and sorts the labels for the ideal order. Reuses its arrays from query to query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/sort_scores.h"
#include "podium/evaluator.h"

namespace podium {

class QueryRanker {
 public:
  QueryRanker(const QueryLists& lists, Ties ties, const ListLimits& limits)
      : lists_(lists), ties_(ties), limits_(limits) {}

  // Valid until the next call. Throws an Error for a NaN score.
  TieGroups rank(std::size_t query);

 private:
  void sort_scores(std::size_t query, std::size_t begin, std::size_t end);
  template <class Before>  // of two places in the query
  void order_ties(const Before& before);
  void keep_best_of_hosts(std::size_t begin);
  void find_groups();
  void sort_ideal(std::size_t query, std::size_t begin, std::size_t end);

  const QueryLists& lists_;
  Ties ties_;
  ListLimits limits_;
  std::vector<ScoreKey> keys_;
  std::vector<float> by_rank_;
  std::vector<float> ideal_;
  std::vector<std::uint32_t> ends_;
  std::unordered_map<std::string_view, std::size_t> seen_of_host_;
};

}  // namespace podium
