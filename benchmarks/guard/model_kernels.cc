// Scoring with forests, and the two products with the data in the training of linear models.
#include "guard/kernels.h"
#include "models/forest/forest.h"
#include "models/linear/linear.h"

namespace podium {

// A document performs all tests of a tree with up to 32 leaves. Memory: the features.
Kernel score_forest(Workload& workload) {
  const Dataset& data = workload.data();
  const Forest& forest = workload.forest();
  std::size_t nodes = 0;
  for (const Tree& tree : forest.trees) nodes += tree.nodes.size();
  const auto documents = static_cast<double>(data.documents());
  return {[&workload, &data, &forest] { score(forest, data, workload.context()); },
          {.items = documents * static_cast<double>(forest.trees.size()),
           .memory_bytes = documents * static_cast<double>(4 * data.features()),
           .tests = documents * static_cast<double>(nodes)}};
}

Kernel score_linear(Workload& workload) {
  const Dataset& data = workload.data();
  const auto model =
      std::make_shared<Linear>(Linear{std::vector<double>(data.features(), 1.0 / 1000), 0});
  const auto values = static_cast<double>(data.documents() * data.features());
  return {[&workload, &data, model] { score(*model, data, workload.pool()); },
          {.items = values, .memory_bytes = 4 * values, .flops = 2 * values}};
}

Kernel sum_linear(Workload& workload) {
  const Dataset& data = workload.data();
  const auto slopes = std::make_shared<std::vector<double>>(data.documents(), 1e-3);
  const auto values = static_cast<double>(data.documents() * data.features());
  return {[&workload, &data, slopes] { weighted_sum(data, *slopes, workload.context()); },
          {.items = values, .memory_bytes = 4 * values, .flops = 2 * values}};
}

}  // namespace podium
