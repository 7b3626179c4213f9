// The data that `auto` judges by, divided into folds by query. Each fold is scored by models that
// saw nothing of it:
//   without validation data   fold k of the training data is the test part of split k, which
//                             trains on k − 2 other folds and stops early by the remaining one
//   with validation data      the folds are parts of its queries, and one split serves them all: it
//                             trains on five sixths of the training data and stops early by the
//                             rest
//   by the first fold alone   likewise, with the first split without validation data: one training
//                             run per candidate, for data on which one per fold takes too long
// Splits are made when they are first used.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "experiments/comparison/prepared_fold.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/split.h"

namespace podium {

class Judging {
 public:
  // `train` must outlive it.
  Judging(const Dataset& train, const Dataset* valid, std::size_t folds, Context& context);

  // From now on; without validation data only. The first split's training runs remain valid.
  bool can_judge_by_first_fold() const;
  void judge_by_first_fold();

  std::size_t folds() const noexcept { return queries_.size(); }
  std::size_t splits() const noexcept { return splits_.size(); }
  PreparedFold& split(std::size_t s) const;
  std::size_t split_of(std::size_t fold) const { return splits_.size() == 1 ? 0 : fold; }
  std::vector<std::size_t> splits_of(const std::vector<std::size_t>& folds) const;

  // The training queries of a split, and all training documents by those of a split.
  std::size_t training_queries() const { return split(0).data().train.queries(); }
  double all_to_fold() const;
  // All training queries that are not in the split's test part, and their documents by those of the
  // split's training part. Only where each fold has a split of its own.
  Dataset outside(std::size_t s) const;
  // Whether a split's validation part is another one's test part.
  bool stops_by(std::size_t s, std::size_t other) const {
    return folds_[s].valid == folds_[other].test;
  }
  double outside_to_fold(std::size_t s) const;

  // The queries that are judged, and those of some folds, ascending.
  const Dataset& data() const noexcept { return data_; }
  std::vector<std::size_t> queries(const std::vector<std::size_t>& folds) const;
  // Where a query is in the test part of its split.
  struct Place {
    std::size_t split, query;
  };
  Place place(std::size_t query) const { return places_[query]; }

 private:
  void place_queries();

  const Dataset& train_;
  std::uint64_t seed_;
  Dataset data_;
  std::vector<Fold> folds_;                        // empty with validation data
  std::vector<std::vector<std::size_t>> queries_;  // of each fold
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<PreparedFold>> splits_;
  std::vector<Place> places_;
};

}  // namespace podium
