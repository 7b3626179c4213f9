// The search of `auto` for good candidates, judged only by the folds that it may see.
//
// First every learner is tried with its defaults, the flagship before all others. If candidates
// race on a quarter of the queries (SearchPlan), those of other learners drop out there if they are
// clearly worse than the flagship on the same folds and queries; the rest are judged on all visible
// folds. Then, in rounds of a few trials, families get points of their search spaces in proportion
// to what they have earned: the family of rank r (from 0) has the weight 1 / (1 + r), less if its
// trials are slow. A trial is a race against the best candidate of its family, as in successive
// halving [Jamieson16]: on two folds with a quarter of the queries, on these folds with all
// queries, then on all folds; it drops out when it falls behind on the same folds and queries.
//
// All decisions are functions of the visible folds, the seed, the plan and the number of trials.
// The search that makes the model sees all folds; those that estimate its quality hide one each.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "experiments/automatic/budget.h"
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
             std::vector<std::size_t> visible, const SearchPlan& plan);

  // How a search with a limit of time is paced; both may be empty.
  enum class Step { another_default, another_round };
  struct Pace {
    std::function<bool(Step step, std::size_t trials)> go_on;  // before each step
    // Before training runs, `runs` for each of these candidates.
    std::function<void(std::span<const Candidate> round, std::size_t runs)> begin_runs;
  };
  // Goes on to `trials` (0: until the pace says so). What was judged before a Stopped or OutOfTime
  // remains, and the search may be continued.
  void run(std::size_t trials, const Pace& pace, Context& context);

  // Before the first round.
  void set_plan(const SearchPlan& plan) { plan_ = plan; }
  std::size_t trials() const noexcept { return trials_; }
  // Families whose defaults were tried.
  std::size_t defaults() const noexcept { return defaults_; }
  const std::vector<std::size_t>& order() const noexcept { return order_; }
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
  void try_defaults(std::size_t limit, const Pace& pace, Context& context);
  bool keeps_up(const Candidate& candidate, const Pace& pace, Context& context);
  std::vector<std::size_t> quick_folds() const;
  std::vector<Candidate> choose_round(std::size_t most);
  void run_round(std::vector<Candidate> round, const Pace& pace, Context& context);
  std::vector<Candidate> survivors(const std::vector<Candidate>& round,
                                   const std::vector<std::size_t>& folds, int share,
                                   const Pace& pace, Context& context);
  void judge(const std::vector<Candidate>& round, const Pace& pace, Context& context);
  void require(const std::vector<Candidate>& round, const std::vector<std::size_t>& folds,
               int share, const Pace& pace, Context& context);
  std::vector<double> values(const Candidate& candidate, const std::vector<std::size_t>& folds,
                             int share) const;
  // The mean over the folds' queries; nullopt if training failed on one of their splits.
  std::optional<double> value(const Candidate& candidate, const std::vector<std::size_t>& folds,
                              int share) const;

  const CandidateTable& candidates_;
  const Judging& judging_;
  TrainedCells& cells_;
  std::vector<std::size_t> visible_;
  SearchPlan plan_;
  std::vector<std::size_t> order_;  // of families, for the defaults
  std::vector<Family> families_;
  std::vector<JudgedCandidate> judged_;
  std::size_t trials_ = 0, rounds_ = 0, defaults_ = 0;
};

// Whether the second system's values, one per query, are clearly below the first's: by more than so
// many standard errors of the mean difference.
bool is_clearly_worse(const std::vector<double>& best, const std::vector<double>& other,
                      double errors = 2);

}  // namespace podium
