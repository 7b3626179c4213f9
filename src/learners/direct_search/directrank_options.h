// directrank's options, as users give them.
#pragma once

#include <cstdint>
#include <string>

#include "learners/direct_search/direct_search.h"
#include "learners/objective_measure.h"
#include "podium/options.h"

namespace podium {

struct DirectRankOptions {
  std::string objective = kProblemsMeasure;
  DirectSearchOptions::Directions directions = DirectSearchOptions{}.directions;
  DirectSearchOptions::Order order = DirectSearchOptions{}.order;
  enum class Point { automatic, middle, plackett_luce } point = Point::automatic;
  std::int64_t restarts = 20;
  std::string starts = "auto";
  std::int64_t kicks = 12;
  std::string direction_loss = "lambda-ndcg";
  double l2 = 0;
  double l1 = 0;
  std::int64_t max_rounds = 100;
  double tolerance = 1e-5;
  std::int64_t early_stopping = 10;
  double max_seconds = 0;
};

const OptionTable<DirectRankOptions>& directrank_options();

// For this total number of documents over all ranks.
DirectSearchOptions search_options(const DirectRankOptions& options, std::int64_t documents);

}  // namespace podium
