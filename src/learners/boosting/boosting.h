// Functional gradient boosting [Friedman01]: any loss, by a forest. Every round evaluates the loss
// at the current scores, grows one tree an output on its derivatives, and adds it, shrunk by the
// learning rate. All tree learners are rows that name a loss for this trainer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "podium/learner.h"

namespace podium {

struct BoostingOptions {
  std::int64_t trees = 500;
  std::int64_t leaves = 31;
  double learning_rate = 0.1;
  std::int64_t min_docs = 20;
  double min_curvature = 1e-3;
  double l2 = 10;
  double min_gain = 0;
  std::int64_t max_depth = 0;
  std::int64_t max_bins = 255;
  double feature_fraction = 1;
  double query_fraction = 1;
  std::string monotone;
  enum class LeafValues { newton, gradient } leaf_values = LeafValues::newton;
  std::int64_t early_stopping = 50;
  double max_seconds = 0;
};

// The options of every tree learner, for a row's table; Options derives from BoostingOptions. Rows
// with rates of their own add --learning-rate and --query-fraction themselves.
enum class Rates { common, of_the_row };
template <class Options>
OptionTable<Options> boosting_table(Rates rates = Rates::common) {
  auto table = OptionTable<Options>()
                   .add("trees", &Options::trees, "rounds of boosting", at_least(1))
                   .add("leaves", &Options::leaves, "most leaves of a tree", between(2, 65536));
  if (rates == Rates::common)
    table.add("learning-rate", &Options::learning_rate, "how far each tree goes", above(0))
        .search("learning-rate", by_factors(0.02, 0.3));
  table.add("min-docs", &Options::min_docs, "least documents of a leaf", at_least(1))
      .add("min-curvature", &Options::min_curvature,
           "least sum of second derivatives in a leaf, in units of their mean", at_least(0))
      .add("l2", &Options::l2,
           "penalty on squared leaf values: so many average documents with value 0 in every leaf",
           at_least(0))
      .add("min-gain", &Options::min_gain, "least gain of a split", at_least(0))
      .add("max-depth", &Options::max_depth, "most splits above a leaf; 0: no limit", at_least(0))
      .add("max-bins", &Options::max_bins, "most different values of a feature that trees see",
           between(2, 255))
      .add("feature-fraction", &Options::feature_fraction,
           "share of the features that each tree may use", Range{0, 1, Range::Low::open});
  if (rates == Rates::common)
    table.add("query-fraction", &Options::query_fraction,
              "share of the queries that each tree learns from", Range{0, 1, Range::Low::open});
  return table
      .add("monotone", &Options::monotone,
           "features that may only raise (+1) or lower (-1) the score, e.g. 3:+1,17:-1")
      .add("leaf-values", &Options::leaf_values,
           "newton: minus the sum of first over that of second derivatives; gradient: over the "
           "number of documents",
           {{"newton", BoostingOptions::LeafValues::newton},
            {"gradient", BoostingOptions::LeafValues::gradient}})
      .add("early-stopping", &Options::early_stopping,
           "stop when the validation measure has not improved for this many trees; 0: never",
           at_least(0))
      .add("max-seconds", &Options::max_seconds, "stop after this time; 0: never", at_least(0))
      .search("leaves", by_factors(4, 64))
      .search("min-docs", by_factors(5, 200))
      .search("l2", by_factors(0.1, 100));
}

// A new tree, shrunk by the learning rate, before it is added.
struct NewTree {
  std::span<double> values;                 // one per leaf
  std::span<const std::uint32_t> leaf_of;   // one per document of the training data
  std::span<const std::uint32_t> grown_on;  // documents; empty where none were sampled
};

// Weighs a new tree by changing its values, given the scores so far. For losses with one output per
// document.
using TreeWeigher = std::function<void(std::span<const double> scores, const NewTree& tree)>;

TrainingResult train_by_boosting(const TrainingProblem& problem, const Loss& loss,
                                 const BoostingOptions& options, Context& context,
                                 const TreeWeigher& weigher = {});

}  // namespace podium
