// Dropout for boosted trees, DART [Rashmi15]. Early trees decide most of a score, and later ones
// correct a few documents each. So each round forgets some trees for a while:
//
//   1. each earlier round is dropped with probability p: D are the dropped ones, k = |D|;
//   2. derivatives are taken at the scores without D, and trees are grown on them;
//   3. the new trees, which the learning rate η has multiplied, are divided by k + η if k > 0, and
//      those of D are multiplied by k / (k + η), so that together they have about D's size.
//
// That is the paper's 1 / (k + 1) and k / (k + 1) where η = 1; the paper has no learning rate. With
// k + 1 for any η, new trees make up for less than D loses, and the forest stops growing at η / p
// times the size of one full step.
//
// Differs from [Rashmi15]: there a round that would drop nothing drops one tree at random; here it
// is an ordinary round, and some rounds, by a draw of their own, drop nothing at all: otherwise new
// trees get too small when there are many to drop. A round whose trees have no split leaves D as it
// is. With several outputs per document rounds are dropped, all their trees together. Trees that
// training started from are never dropped.
//
// D is a hash of (seed, round, earlier round), so it is not stored. Later rounds shrink the trees
// of earlier ones; the forest as it was after any round follows from the values that its trees had
// when they were added. Scores are moved by the same additions when training is resumed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/forest/forest_scorer.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"
#include "trees/tree_grower.h"

namespace podium {

class Dart {
 public:
  struct Setup {
    double rate = 0;           // p
    double learning_rate = 1;  // η
    double skip = 0;
    std::size_t outputs = 1;  // trees per round
    std::size_t given = 0;    // trees that training started from
    const Dataset& train;
    const Dataset* valid = nullptr;
  };
  // Of each tree but the given ones: its values when it was added.
  using FirstValues = std::vector<std::vector<double>>;

  // Data and context must outlive this object.
  Dart(const Setup& setup, Context& context);

  // Before the loss is evaluated: takes the trees that this round drops out of the scores.
  void take_out(std::int64_t round, const Forest& forest, TreeGrower& grower);
  bool drops() const { return !dropped_.empty(); }
  // By which the new trees are multiplied after the learning rate.
  double share_of_new() const {
    return drops() ? 1 / (static_cast<double>(dropped_.size()) + setup_.learning_rate) : 1;
  }
  // When the new trees are in the forest and in the grower's scores: brings the dropped ones back.
  // `valid`: the outputs on the validation data, without the new trees, which are added; or null.
  void put_back(Forest& forest, TreeGrower& grower, ForestScorer* valid);

  // The forest as it was after so many rounds; `first` loses the values of the others, too.
  void rewind(Forest& forest, FirstValues& first, std::int64_t rounds) const;
  // Adds the trees of training to the outputs of the given ones, as its rounds did.
  void replay(const Forest& forest, const FirstValues& first, const Dataset& data,
              ForestScorer& scorer) const;

 private:
  using Rounds = std::vector<std::int64_t>;
  std::int64_t first_round() const;
  Rounds dropped_in(std::int64_t round) const;
  std::span<const Tree> trees_of(const Forest& forest, std::int64_t round) const;
  std::span<const double> outputs_of(const Rounds& dropped, const Forest& forest,
                                     ForestScorer& scorer, const Dataset& data) const;
  double share_of_dropped(const Forest& forest, std::int64_t round, std::size_t dropped) const;
  void shrink(Forest& forest, const Rounds& dropped, double share) const;
  struct Step;
  void move(const Step& step, ForestScorer& scorer, ForestScorer& of_dropped) const;

  Setup setup_;
  Context& context_;
  std::unique_ptr<ForestScorer> train_, valid_;  // the outputs of dropped trees
  std::int64_t round_ = 0;
  Rounds dropped_;  // in this round
};

}  // namespace podium
