// Gradient training of linear models and perceptrons, for any loss with one output per document:
// L-BFGS over all queries, or Adam or SGD over mini-batches of queries. The objective is that of
// objective.h. Same bits for any number of threads and ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "podium/learner.h"
#include "solvers/adam.h"

namespace podium {

// Only linear models can be trained by cutting planes: rows with networks do not offer it.
enum class Optimizer { automatic, lbfgs, adam, sgd, cutting_plane };

struct ParametricOptions {
  std::string hidden;  // "32,16"; empty: a linear model
  Mlp::Activation activation = Mlp::Activation::tanh;
  Optimizer optimizer = Optimizer::automatic;
  std::int64_t epochs = 100;
  std::int64_t batch_queries = 16;
  double learning_rate = 0.003;
  Schedule schedule = Schedule::cosine;
  std::string weight_decay = "auto";
  double clip = 0;
  double tolerance = 1e-5;
  std::int64_t early_stopping = 20;
  std::int64_t restarts = 1;
  double max_seconds = 0;
};

// Adds options to a row's table, whose Options derive from ParametricOptions: those of the
// trainers, and those of the network.
template <class Options>
OptionTable<Options>& add_gradient_options(OptionTable<Options>& table) {
  return table
      .add("epochs", &ParametricOptions::epochs,
           "maximum passes over the training data per run (L-BFGS: iterations)",
           between(1, 1000000))
      .add("batch-queries", &ParametricOptions::batch_queries, "adam, sgd: queries per mini-batch",
           at_least(1))
      .add("learning-rate", &ParametricOptions::learning_rate, "adam, sgd: initial learning rate",
           above(0))
      .add("schedule", &ParametricOptions::schedule,
           "adam, sgd: how the learning rate decays over the epochs",
           {{"constant", Schedule::constant},
            {"cosine", Schedule::cosine},
            {"step", Schedule::step},
            {"inverse", Schedule::inverse}})
      .add("weight-decay", &ParametricOptions::weight_decay,
           "penalty on half the squared weights (of standardised features): a number, a list to "
           "choose from on the validation data, or auto: 1 / training queries, 20 / training "
           "queries with hidden layers")
      .add("clip", &ParametricOptions::clip, "adam, sgd: clip gradients to this norm; 0: never",
           at_least(0))
      .add("tolerance", &ParametricOptions::tolerance,
           "lbfgs: converged when the gradient's norm is below this, or below this fraction of the "
           "weights' norm",
           Range{0, 1, Range::Low::open})
      .add("early-stopping", &ParametricOptions::early_stopping,
           "stop when the validation measure has not improved for this many epochs; 0: never",
           at_least(0))
      .add("restarts", &ParametricOptions::restarts,
           "number of runs from different random weights; the best is kept", at_least(1))
      .add("max-seconds", &ParametricOptions::max_seconds, "stop after this many seconds; 0: never",
           at_least(0));
}
template <class Options>
OptionTable<Options>& add_network_options(OptionTable<Options>& table) {
  return table
      .add("optimizer", &ParametricOptions::optimizer,
           "auto: lbfgs for linear models and smooth losses, else adam",
           {{"auto", Optimizer::automatic},
            {"lbfgs", Optimizer::lbfgs},
            {"adam", Optimizer::adam},
            {"sgd", Optimizer::sgd}})
      .add("hidden", &ParametricOptions::hidden,
           "widths of the hidden layers, e.g. 32,16; empty: a linear model")
      .add("activation", &ParametricOptions::activation, "activation function of hidden layers",
           {{"tanh", Mlp::Activation::tanh}, {"relu", Mlp::Activation::relu}});
}

// Adds the tuning ranges, after both of the above.
template <class Options>
OptionTable<Options>& search_network_options(OptionTable<Options>& table,
                                             std::vector<std::string> hidden) {
  return table.search("hidden", among(std::move(hidden)))
      .search("weight-decay", by_factors(1e-4, 1))
      .search("learning-rate", by_factors(3e-4, 0.03));
}

TrainingResult train_by_gradients(const TrainingProblem& problem, const Loss& loss,
                                  const ParametricOptions& options, Context& context);
MemoryNeed memory_of_gradients(const ParametricOptions& options, const Dataset& train);

// A path of losses that become less smooth; each stage starts where the previous one ended. The
// best point on the validation data is returned, or without validation data the end of the last
// stage.
struct AnnealingStage {
  SharedLoss loss;
  double sigma = 0;                                             // as named in the log
  enum class Role { start, candidate } role = Role::candidate;  // starts are no candidates
};
TrainingResult anneal_by_gradients(const TrainingProblem& problem,
                                   std::span<const AnnealingStage> stages,
                                   const ParametricOptions& options, Context& context);

}  // namespace podium
