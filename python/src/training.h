// A training run as Python asks for it, and what came of it.
#pragma once

#include "bindings.h"
#include "podium/training.h"

namespace podium::python {

struct TrainingRequest : TrainingSpec {
  std::uint64_t seed = 1;
  int threads = 0;
};

Trained train(const TrainingRequest& request, const Dataset& data, const Dataset* valid,
              Context& context);

}  // namespace podium::python
