// A training run requested from Python, and its result.
#pragma once

#include "bindings.h"
#include "podium/training.h"

namespace podium::python {

struct TrainingRequest : TrainingSpec {
  std::uint64_t seed = 1;
  int threads = 0;
  std::string device = "cpu";
  std::string checkpoint;  // the file to save the state in, and to resume from; empty: none
  double checkpoint_seconds = 300;
};

struct TrainingInput {
  const Dataset& train;
  const Dataset* valid = nullptr;
  std::vector<std::pair<std::string, const Dataset*>> watched = {};  // names and data
};

struct TrainingAnswer {
  Trained trained;
  std::map<std::string, std::map<std::string, double>> watched;  // [name][measure] of the model
};

// If the context has several ranks, each brings its own queries; all get the same model.
TrainingAnswer train(const TrainingRequest& request, const TrainingInput& input, Context& context);

}  // namespace podium::python
