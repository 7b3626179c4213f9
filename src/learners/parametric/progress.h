// The progress of a gradient trainer: logs every iteration with the measures on the validation
// data, keeps the best point, and decides when to stop. With validation data the best point of all
// runs is the one with the highest measure. Without, it is the last point of a run, and of several
// runs the one with the lowest objective.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/early_stopping.h"
#include "learners/parametric/scoring_function.h"
#include "podium/learner.h"

namespace podium {

// A point of a run.
struct ProgressPoint {
  double value = 0;  // higher is better
  std::int64_t iteration = 0;
  std::vector<double> parameters;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.value, self.iteration, self.parameters);
  }
};

class TrainingProgress {
 public:
  struct Limits {
    std::int64_t patience = 0;  // iterations of one run without improvement; 0: no limit
    double max_seconds = 0;     // 0: no limit
  };
  TrainingProgress(const TrainingProblem& problem, const ScoringFunction& function, Limits limits,
                   Context& context);

  // A run: one weight decay, one start.
  void begin_run(std::int64_t iterations);
  // Records the next iteration, which ends at these parameters. Returns a reason to stop, if there
  // is one.
  std::optional<Termination> record(double objective, std::span<const double> parameters,
                                    std::vector<std::pair<std::string, double>> more);
  // Stop requests and the time limit; all ranks agree.
  std::optional<Termination> interrupted();
  // A run that diverged gives its point with the lowest objective instead of its last.
  enum class RunEnd { regular, diverged };
  void end_run(RunEnd how);

  // The previous runs only provided a start for the next one: their points are no longer
  // candidates.
  void forget() { best_.reset(); }

  std::int64_t iterations() const noexcept { return static_cast<std::int64_t>(log_.size()); }
  // Whether there is a model to return.
  bool has_point() const noexcept { return best_ || run_last_; }
  // Whether the last run has the best point so far.
  bool last_run_leads() const noexcept { return leading_run_ == run_; }
  // The best model with the log, which is moved out. Throws a training Error if there is no model.
  TrainingResult result();

  // For checkpoints.
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.run_, self.leading_run_, self.last_iteration_, self.stopping_, self.best_,
            self.run_last_, self.run_lowest_, self.log_, self.seconds_);
    if constexpr (!std::is_const_v<Self>)
      self.deadline_ = Deadline(self.limits_.max_seconds, self.seconds_);
  }

 private:
  using Point = ProgressPoint;
  void offer(const Point& point);

  const TrainingProblem& problem_;
  const ScoringFunction& function_;
  Limits limits_;
  Context& context_;
  std::optional<Evaluator> evaluator_;  // with validation data
  std::int64_t run_ = 0, leading_run_ = 0, last_iteration_ = 0;
  EarlyStopping stopping_;
  std::optional<Point> best_;
  std::optional<Point> run_last_, run_lowest_;  // without validation data
  std::vector<Iteration> log_;
  Deadline deadline_;
  double seconds_ = 0;  // spent at the last check
};

}  // namespace podium
