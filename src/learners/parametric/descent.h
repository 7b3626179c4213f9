// Minimises one objective from given parameters with one optimiser: every iteration is recorded,
// and if a run diverges, the error has the iteration and the likely cause.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learners/parametric/choices.h"
#include "learners/parametric/objective.h"
#include "learners/parametric/progress.h"
#include "learners/parametric/training.h"
#include "solvers/adam.h"
#include "solvers/lbfgs.h"

namespace podium {

// The state of a run between two steps.
struct DescentState {
  std::vector<double> parameters;  // initially the start
  enum class Stage { fresh, under_way } stage = Stage::fresh;
  LbfgsState lbfgs;
  Adam adam;
  Momentum momentum;
  // For mini-batches: the epoch, the next batch, and the mean so far.
  std::int64_t epoch = 0;
  std::size_t batch = 0;
  double sum = 0, used = 0;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.parameters, self.stage, self.lbfgs, self.adam, self.momentum, self.epoch,
            self.batch, self.sum, self.used);
  }
};

class Descent {
 public:
  // Values that are logged with every iteration: {"weight decay", 0.1}.
  using Tags = std::vector<std::pair<std::string, double>>;

  // Called when state and progress are complete: to save them if it is time, or now, before a stop
  // request ends training.
  enum class Keep { if_due, now };
  using Keeper = std::function<void(Keep)>;

  Descent(const Dataset& data, ParametricObjective& objective, TrainingProgress& progress,
          DescentState& state, Keeper keeper, const ParametricOptions& options, Context& context)
      : data_(data),
        objective_(objective),
        progress_(progress),
        state_(state),
        keeper_(std::move(keeper)),
        options_(options),
        context_(context) {}

  // Updates the state's parameters; the seed determines the order of queries in mini-batches.
  // Throws a training Error if not even the first iteration is finite.
  Termination run(Optimizer optimizer, std::uint64_t seed, Tags tags);

 private:
  Termination run_lbfgs();
  template <class Stepper>
  Termination run_batches(Stepper& stepper, std::uint64_t seed);
  // Runs the rest of an epoch. Returns why the run ends, if it does.
  template <class Stepper>
  std::optional<Termination> run_epoch(const std::vector<std::vector<std::size_t>>& batches,
                                       Stepper& stepper);
  // Saves the state, now or if due, depending on why the run ends.
  void keep(std::optional<Termination> why);
  Termination diverge(std::string_view what, std::string_view cause);
  Termination end(Termination why);

  const Dataset& data_;
  ParametricObjective& objective_;
  TrainingProgress& progress_;
  DescentState& state_;
  Keeper keeper_;
  const ParametricOptions& options_;
  Context& context_;
  Tags tags_;
  bool recording_ = false;  // the state of L-BFGS has a point that is not yet recorded
};

}  // namespace podium
