// Functional gradient boosting [Friedman01]: any loss, by a forest. Every round evaluates the loss
// at the current scores, grows one tree per output on its derivatives, and adds it, shrunk by the
// learning rate. All tree learners are rows that name a loss for this trainer.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "podium/learner.h"

namespace podium {

struct BoostingOptions {
  std::int64_t trees = 500;
  std::int64_t leaves = 0;  // 0: by the size of the data (options_by_size.h)
  double learning_rate = 0.1;
  std::int64_t min_docs = 20;
  double min_curvature = 1e-3;
  double l2 = 10;
  double min_gain = 0;
  std::int64_t max_depth = 0;
  bool oblivious = false;
  std::int64_t max_bins = 255;
  double category_l2 = 300;
  std::int64_t min_category_docs = 1;
  std::int64_t max_category_bins = 1024;
  double feature_fraction = 1;
  double query_fraction = 1;
  std::string monotone;
  std::string interactions;
  enum class LeafValues { newton, gradient } leaf_values = LeafValues::newton;
  std::int64_t bag = 1;
  double noise = 0;
  std::int64_t noise_draws = 4;
  double dart = 0;
  double dart_skip = 0.5;
  std::int64_t early_stopping = 50;
  double max_seconds = 0;
};

// What trees do with categories. A model that was trained on numbers does not record these options.
inline constexpr std::array<const char*, 3> kCategoryOptions = {"category-l2", "min-category-docs",
                                                                "max-category-bins"};

// The options of every tree learner, for a row's table; Options derives from BoostingOptions. Rows
// with rates of their own add --learning-rate and --query-fraction themselves.
enum class Rates { common, of_the_row };
template <class Options>
OptionTable<Options> boosting_table(Rates rates = Rates::common) {
  auto table = OptionTable<Options>().add("trees", &Options::trees, "number of boosting rounds",
                                          at_least(1));
  if (rates == Rates::common)
    table
        .add("leaves", &Options::leaves,
             "maximum leaves per tree; 0: by the number of documents, 6 to 31", between(0, 65536))
        .add("learning-rate", &Options::learning_rate, "shrinkage applied to each tree", above(0))
        .search("learning-rate", by_factors(0.02, 0.3));
  else
    table.add("leaves", &Options::leaves, "maximum leaves per tree", between(2, 65536));
  table.add("min-docs", &Options::min_docs, "minimum documents per leaf", at_least(1))
      .add("min-curvature", &Options::min_curvature,
           "minimum sum of second derivatives per leaf, in units of their mean", at_least(0))
      .add("l2", &Options::l2,
           "penalty on squared leaf values, like adding this many average documents with value 0 "
           "to every leaf",
           at_least(0))
      .add("min-gain", &Options::min_gain, "minimum gain of a split", at_least(0))
      .add("max-depth", &Options::max_depth, "maximum depth of a tree; 0: no limit", at_least(0))
      .add("oblivious", &Options::oblivious,
           "grow symmetric trees: one test per level, the same for all leaves, down to ‹max-depth› "
           "(0: 6), within ‹leaves›")
      .add("max-bins", &Options::max_bins, "maximum bins per feature", between(2, 255))
      .add(kCategoryOptions[0], &Options::category_l2,
           "penalty on splits by category, like adding this many average documents with gradient 0 "
           "to every value",
           at_least(0))
      .add(kCategoryOptions[1], &Options::min_category_docs,
           "values of a category with fewer training documents are treated like missing ones",
           at_least(1))
      .add(kCategoryOptions[2], &Options::max_category_bins,
           "maximum bins per category: the most frequent values; others are treated like missing "
           "ones",
           between(2, 65535))
      .add("feature-fraction", &Options::feature_fraction,
           "fraction of the features each tree may use", Range{0, 1, Range::Low::open});
  if (rates == Rates::common)
    table.add("query-fraction", &Options::query_fraction,
              "fraction of the queries each tree is trained on", Range{0, 1, Range::Low::open});
  return table
      .add("monotone", &Options::monotone,
           "features that may only raise (+1) or lower (-1) the score, e.g. 3:+1,17:-1")
      .add("interactions", &Options::interactions,
           "groups of features that may meet in one branch of a tree, by number or name, e.g. "
           "1,2,3;4,5; other features are alone in theirs")
      .add("leaf-values", &Options::leaf_values,
           "divisor of a leaf's gradient sum: newton, the sum of second derivatives; gradient, the "
           "number of documents",
           {{"newton", BoostingOptions::LeafValues::newton},
            {"gradient", BoostingOptions::LeafValues::gradient}})
      .add("bag", &Options::bag,
           "forests to average, each grown on its own bootstrap sample of the queries",
           between(1, 1000))
      .add("noise", &Options::noise,
           "scale of random noise on the scores before they are ranked, for losses that depend on "
           "the order; 0: none",
           at_least(0))
      .add("noise-draws", &Options::noise_draws, "draws of this noise per tree, averaged",
           between(1, 1000))
      .add(
          "dart", &Options::dart,
          "probability that an earlier tree is dropped while a tree is grown, which is then scaled "
          "together with the dropped ones (DART); 0: none",
          between(0, 1))
      .add("dart-skip", &Options::dart_skip, "probability that ‹dart› drops nothing in a round",
           between(0, 1))
      .add("early-stopping", &Options::early_stopping,
           "stop when the validation measure has not improved for this many trees; 0: never",
           at_least(0))
      .add("max-seconds", &Options::max_seconds, "stop after this many seconds; 0: never",
           at_least(0))
      .search("leaves", by_factors(4, 64))
      .search("min-docs", by_factors(5, 200))
      .search("l2", by_factors(0.1, 100));
}

// A new tree, shrunk by the learning rate, before it is added. What its leaves are to the documents
// is the grower's (trees/tree_grower.h), whose look_up this offers.
struct NewTree {
  std::span<double> values;                 // one per leaf
  std::span<const std::uint32_t> grown_on;  // documents; empty where none were sampled
  // out_i = of[leaf of document i], for each document of the training data.
  std::function<void(std::span<const double> of, std::span<double> out)> look_up;
};

// Weighs a new tree by changing its values, given the scores so far. For losses with one output per
// document.
using TreeWeigher = std::function<void(std::span<const double> scores, const NewTree& tree)>;

// One forest, or the average of several (bagging.h). `query_counts`: how often each query counts;
// empty: once.
TrainingResult train_by_boosting(const TrainingProblem& problem, const Loss& loss,
                                 const BoostingOptions& options, Context& context,
                                 const TreeWeigher& weigher = {},
                                 std::vector<double> query_counts = {});
MemoryNeed memory_of_boosting(const Dataset& train);

}  // namespace podium
