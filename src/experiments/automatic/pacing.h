// The clock of a search with a limit of time: measures what training costs, asks the budget what
// fits, and limits each training run. What it decides is in the plan, in the number of trials and
// in the training runs that were cut, which the log of the run keeps.
#pragma once

#include <functional>
#include <span>

#include "experiments/automatic/blend_choice.h"
#include "experiments/automatic/budget.h"
#include "experiments/automatic/search.h"

namespace podium {

class Pacing {
 public:
  struct Setting {
    double seconds = 0;
    std::size_t members = 1;
    TrainedCells::Clock::time_point began = TrainedCells::Clock::now();
  };
  Pacing(const Setting& setting, const CandidateTable& candidates, Judging& judging,
         TrainedCells& cells, const BlendChooser& chooser, int threads);

  // Trains the flagship on the first split, and decides how to judge: on the first fold alone, too.
  SearchPlan measure(Context& context);
  // Limits the training runs that follow, `runs` for each of these candidates.
  void begin_runs(std::span<const Candidate> round, std::size_t runs);
  // `report` is called before each step.
  AutoSearch::Pace pace(const AutoSearch& search, std::function<void(std::size_t)> report);
  // Around an estimate; the first one comes before all rounds.
  void begin_estimate(const AutoSearch& search);
  // `refits`: thread-seconds spent on members trained as the final ones are.
  void end_estimate(std::size_t folds, double refits);
  // Whether these fit into the time, beside the search; after begin_estimate().
  bool time_for_refits() const;
  bool time_for_estimate() const { return elapsed() < budget_.estimate_end(needs_.refits); }
  // Whether there is time to search on.
  bool search_on(const AutoSearch& search);

  // After the first estimate: what a trial of each family costs, by its defaults and those of the
  // flagship, and rounds small enough for the time.
  const SearchPlan& plan_rounds();

  double elapsed() const;
  double first_seconds() const noexcept { return first_seconds_; }

 private:
  bool go_on(AutoSearch::Step step, const AutoSearch& search);
  void measure_refits(const AutoSearch& search);
  void end_round();
  double next_round() const;
  double default_work(std::size_t family) const;  // of one training run

  Setting setting_;
  const CandidateTable& candidates_;
  Judging& judging_;
  TrainedCells& cells_;
  const BlendChooser& chooser_;
  std::vector<std::size_t> folds_;
  Candidate flagship_;
  Budget budget_;
  Budget::Needs needs_;
  SearchPlan plan_;
  double first_seconds_ = 0, first_work_ = 0;
  std::optional<double> round_began_, estimate_began_;
  double last_round_ = 0, round_before_ = 0, rounds_estimated_ = 0, estimates_ = 0;
  double work_before_ = 0;  // an estimate
};

}  // namespace podium
