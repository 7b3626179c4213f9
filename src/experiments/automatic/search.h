// The search of `auto` for good candidates, judged only by the folds that it may see.
//
// First every learner is tried with its defaults, on all visible folds. Then, in rounds of a few
// trials, families get points of their search spaces in proportion to what they have earned: the
// family of rank r (from 0) has the weight 1 / (1 + r). A trial is a race against the best
// candidate of its family, as in successive halving [Jamieson16]: on two folds with a quarter of
// the queries (if there are many), on these folds with all queries, then on all folds; it drops out
// when it falls behind on the same folds and queries.
//
// All decisions are functions of the visible folds, the seed and the number of trials. The search
// that makes the model sees all folds; those that estimate its quality hide one each.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "experiments/automatic/trained_cells.h"

namespace podium {

// A candidate that was judged on all visible folds.
struct JudgedCandidate {
  Candidate candidate;
  double value = 0;  // the mean over the visible queries
};

class AutoSearch {
 public:
  AutoSearch(const CandidateTable& candidates, const Judging& judging, TrainedCells& cells,
             std::vector<std::size_t> visible);

  // Called after each round with the number of trials; returns whether there is time for another.
  using GoOn = std::function<bool(std::size_t trials)>;
  // Ends after `trials` (0: when go_on says so). What was judged before a Stopped or OutOfTime
  // remains.
  void run(std::size_t trials, const GoOn& go_on, Context& context);

  std::size_t trials() const noexcept { return trials_; }
  // The best of each family, best first; of equal ones the family that comes first.
  std::vector<JudgedCandidate> leaders() const;
  // All that were judged on all visible folds, in order.
  const std::vector<JudgedCandidate>& judged() const noexcept { return judged_; }

 private:
  struct Family {
    std::optional<JudgedCandidate> best;
    std::size_t next_point = 1;
    std::size_t trials = 0;
  };
  void try_defaults(std::size_t limit, const GoOn& go_on, Context& context);
  std::vector<Candidate> choose_round(std::size_t most);
  void run_round(std::vector<Candidate> round, Context& context);
  std::vector<Candidate> survivors(const std::vector<Candidate>& round,
                                   const std::vector<std::size_t>& folds, int share,
                                   Context& context);
  void judge(const std::vector<Candidate>& round, Context& context);
  void require(const std::vector<Candidate>& round, const std::vector<std::size_t>& folds,
               int share, Context& context);
  // The mean over the folds' queries; nullopt if training failed on one of their splits.
  std::optional<double> value(const Candidate& candidate, const std::vector<std::size_t>& folds,
                              int share) const;

  const CandidateTable& candidates_;
  const Judging& judging_;
  TrainedCells& cells_;
  std::vector<std::size_t> visible_;
  std::vector<Family> families_;
  std::vector<JudgedCandidate> judged_;
  std::size_t trials_ = 0, rounds_ = 0;
};

}  // namespace podium
