// One run down one objective, from some parameters, by one optimiser: every iteration is recorded,
// and a run that diverges ends with the iteration and the likely cause.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learners/parametric/choices.h"
#include "learners/parametric/objective.h"
#include "learners/parametric/progress.h"
#include "learners/parametric/training.h"

namespace podium {

class Descent {
 public:
  // What the log says of every iteration: {"weight decay", 0.1}.
  using Tags = std::vector<std::pair<std::string, double>>;

  Descent(const Dataset& data, ParametricObjective& objective, TrainingProgress& progress,
          const ParametricOptions& options, Context& context)
      : data_(data),
        objective_(objective),
        progress_(progress),
        options_(options),
        context_(context) {}

  // Moves the parameters; the seed decides on the order of queries in mini-batches. Training error
  // when not even the first iteration is finite.
  Termination run(Optimizer optimizer, std::vector<double>& parameters, std::uint64_t seed,
                  Tags tags);

 private:
  Termination run_lbfgs(std::vector<double>& parameters);
  template <class Stepper>
  Termination run_batches(Stepper stepper, std::vector<double>& parameters, std::uint64_t seed);
  // An epoch: its mean objective, or why the run ends.
  struct Epoch {
    double objective = 0;
    std::optional<Termination> end;
  };
  template <class Stepper>
  Epoch run_epoch(std::int64_t epoch, const std::vector<std::vector<std::size_t>>& batches,
                  Stepper& stepper, std::vector<double>& parameters);
  Termination diverge(std::string_view what, std::string_view cause);
  Termination end(Termination why);

  const Dataset& data_;
  ParametricObjective& objective_;
  TrainingProgress& progress_;
  const ParametricOptions& options_;
  Context& context_;
  Tags tags_;
};

}  // namespace podium
