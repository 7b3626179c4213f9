// Finds the weights of a new tree by exact line search on the measure [Tan13] section 2.4.
//
// One weight α for the tree h: the scores become s + αh, and α is the middle of the best interval
// within [low, high]; or, if `outside` is clip, that of the best interval of all, clipped to the
// range.
//
// One weight per leaf (the paper's section 4 asks for trees built for the measure; [Friedman01]
// section 4.3 fits one value per region for a loss): starting from α, the leaves' weights are
// searched one after another in the same way, along the documents of the leaf only. The result is
// never worse on the measure than one weight for all leaves: otherwise that is kept.
#pragma once

#include <span>
#include <vector>

#include "learners/boosting/boosting.h"
#include "line_search/exact_line_search.h"

namespace podium {

struct WeightRange {
  double low = 0.1, high = 0.5;
  enum class Outside { search, clip } outside = Outside::search;
};

// The best weight; `current` if it is inside an interval that is as good as any (NaN: there is
// none).
double best_weight(std::span<const double> scores, std::span<const double> direction,
                   const WeightRange& range, double current, const ExactLineSearch& search,
                   Context& context);

class TreeWeights {
 public:
  struct Rule {
    WeightRange range;
    enum class Of { tree, leaves } of = Of::tree;
    // The scores of documents that the tree was grown on do not change.
    enum class Queries { held_out, all } queries = Queries::all;
  };
  // All arguments must outlive this object; `objective` is the measure that `search` searches,
  // under `convention`.
  TreeWeights(const Dataset& data, MeasurePtr objective, const Convention& convention,
              const ExactLineSearch& search, const Rule& rule, Context& context)
      : data_(data),
        objective_(std::move(objective)),
        convention_(convention),
        search_(search),
        rule_(rule),
        context_(context) {}

  // One per leaf; all equal unless each leaf has its own weight.
  std::vector<double> find(std::span<const double> scores, const NewTree& tree) const;

 private:
  void look_up(const NewTree& tree, std::span<const double> values, std::span<double> out) const;
  std::vector<double> of_leaves(std::span<const double> scores, std::span<const double> direction,
                                const NewTree& tree, double weight) const;

  const Dataset& data_;
  MeasurePtr objective_;
  const Convention& convention_;
  const ExactLineSearch& search_;
  Rule rule_;
  Context& context_;
};

}  // namespace podium
