// The data that `auto` judges by, divided into folds by query. Each fold is scored by models that
// saw nothing of it:
//   without validation data   fold k of the training data is the test part of split k, which
//                             trains on k − 2 other folds and stops early by the remaining one
//   with validation data      the folds are parts of its queries, and one split serves them all: it
//                             trains on five sixths of the training data and stops early by the
//                             rest
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "experiments/comparison/prepared_fold.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class Judging {
 public:
  Judging(const Dataset& train, const Dataset* valid, std::size_t folds, Context& context);

  std::size_t folds() const noexcept { return queries_.size(); }
  std::size_t splits() const noexcept { return splits_.size(); }
  PreparedFold& split(std::size_t s) const { return *splits_[s].fold; }
  std::size_t split_of(std::size_t fold) const { return splits_.size() == 1 ? 0 : fold; }
  std::vector<std::size_t> splits_of(const std::vector<std::size_t>& folds) const;

  // The queries that are judged, and those of some folds, ascending.
  const Dataset& data() const noexcept { return data_; }
  std::vector<std::size_t> queries(const std::vector<std::size_t>& folds) const;
  // Where a query is in the test part of its split.
  struct Place {
    std::size_t split, query;
  };
  Place place(std::size_t query) const { return places_[query]; }

 private:
  struct Split {
    std::unique_ptr<PreparedFold> fold;
  };
  void add_split(FoldData data, const std::vector<std::size_t>& test);

  Dataset data_;
  std::vector<std::vector<std::size_t>> queries_;  // of each fold
  std::vector<Split> splits_;
  std::vector<Place> places_;
};

}  // namespace podium
