// A measure along one feature: its value for the scores b + Δ x, for a sequence of Δ. Trials are
// kept cheap:
//   - queries for which the measure is undefined, or in which x is constant, are not ranked again;
//   - a query is sorted starting from its last order, which is nearly right;
//   - once a query's documents have the order that they keep for all larger Δ, its value is
//     known for the rest of the direction.
// The convention decides ties, empty queries, weights and averages, and sums are exact, so values
// do not depend on threads or ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/evaluator.h"

namespace podium {

class MeasureLine {
 public:
  MeasureLine(const Dataset& data, MeasurePtr measure, const Convention& convention,
              Context& context);

  std::size_t skipped() const noexcept { return skipped_; }  // queries that do not contribute
  double value() const noexcept { return value_; }           // at the base scores
  std::span<const double> scores() const noexcept { return base_; }

  // Ranks by these scores, one per document.
  void move_to(std::vector<double> scores);
  // Multiplies the scores by a positive number: the order does not change.
  void scale(double factor);

  // Begins a line along x, one value per document, in one direction; Δ then has this sign, and its
  // size increases from trial to trial.
  enum class Direction { up, down };
  void begin(std::span<const double> x, Direction direction);
  // The measure for b + Δ x.
  double trial(double delta);
  // Whether all larger Δ have the value of the last trial.
  bool finished() const noexcept { return open_ == 0; }
  // Makes b + Δ x the new base.
  void accept(double delta);

 private:
  struct Query {
    std::size_t begin, size;
    double weight;
    std::vector<float> ideal;
    double base = 0, trial = 0;  // values, weighted
  };
  struct Item {
    double score;
    std::uint32_t tie;  // the order of equal scores
    std::uint32_t document;
  };
  struct Scratch {
    std::vector<Item> items;
    std::vector<float> by_rank;
    std::vector<std::uint32_t> ends;
  };

  void sort(const Query& query, Scratch& scratch);
  double evaluate(const Query& query, Scratch& scratch);
  bool settled(const Query& query, const Scratch& scratch) const;
  double aggregate(double Query::*value) const;
  template <class Score>
  void rank(std::span<const std::uint32_t> which, double Query::*value, Score&& score,
            std::vector<std::uint8_t>* settled_out);

  const Dataset& data_;
  MeasurePtr measure_;
  Ties ties_;
  Context& context_;
  std::size_t skipped_ = 0;
  std::vector<Query> queries_;        // those with a value
  double rest_ = 0, weight_ = 0;      // of the other queries, and of all; over all ranks
  std::vector<double> base_;          // b
  std::vector<std::uint32_t> order_;  // each query's documents, best first, at the last trial
  std::vector<std::uint32_t> tie_;    // one per document
  double value_ = 0;

  std::span<const double> x_;
  Direction direction_ = Direction::up;
  std::vector<std::uint32_t> active_;  // of queries_: those whose order may still change
  std::int64_t open_ = 0;              // their number on all ranks
};

}  // namespace podium
