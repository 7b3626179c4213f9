// The options of DirectRank with trees, and the values that replace `auto`.
//
// With few queries per leaf, a tree is grown on half of them, weighted on the other half, and
// shrunk by a learning rate first: on the queries that it was grown on, larger weights always look
// better. With many queries that is harmless, and the setting is that of [Tan13]: every tree is
// grown and weighted on all queries, unshrunk.
#pragma once

#include <cstddef>
#include <string>

#include "learners/boosting/boosting.h"
#include "learners/direct_search/tree_weights.h"
#include "learners/objective_measure.h"
#include "podium/options.h"

namespace podium {

struct DirectTreesOptions : BoostingOptions {
  DirectTreesOptions() { leaves = 31; }

  std::string objective = kProblemsMeasure;
  std::string rate = "auto";      // the option learning-rate
  std::string fraction = "auto";  // the option query-fraction
  double min_weight = 0.1;
  double max_weight = 0.5;
  WeightRange::Outside outside = WeightRange::Outside::search;
  TreeWeights::Rule::Of weigh = TreeWeights::Rule::Of::tree;
  enum class WeighOn { automatic, held_out, all } weigh_on = WeighOn::automatic;
  enum class Strategy { stagewise, leverage } strategy = Strategy::stagewise;
  std::int64_t leverage = 0;
  std::string targets = "linear";
};

const OptionTable<DirectTreesOptions>& directrank_trees_table();

// From this many training queries (over all ranks) per leaf on, the setting is the paper's.
inline constexpr std::size_t kQueriesPerLeaf = 200;

struct TreePlan {
  BoostingOptions boosting;  // with learning rate and query fraction filled in
  enum class WeighOn { held_out, all } weigh_on = WeighOn::all;
  std::string settled;  // replacements of `auto`, as options; empty: none
};

// For this many training queries over all ranks. Throws a usage Error if options are not numbers in
// range, or are incompatible.
TreePlan plan_trees(const DirectTreesOptions& options, std::size_t queries);

}  // namespace podium
