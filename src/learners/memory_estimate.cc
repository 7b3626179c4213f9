// The figures a weight are measured: peak memory of trainings on a million columns, less the data.
#include "learners/memory_estimate.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/counted.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kGigabyte = 1e9;

// What a learner keeps, in bytes: for each input (states of the solver, planes, pairs of L-BFGS),
// for each input and query, and for each value of the data (bins, codes, columns).
struct Kept {
  std::string_view learner;
  double per_input = 0, per_input_and_query = 0;
  double per_dense_value = 0, per_sparse_value = 0;
};
constexpr double kPlanes = 150, kSteps = 240, kNetworkWeight = 100;
constexpr Kept kTable[] = {
    {"svm-acc", kPlanes},
    {"ranksvm", kPlanes},
    {"svm-auc", kPlanes},
    {"svm-map", kPlanes},
    {"svm-ndcg", kPlanes},
    {"svm-ndcg-nc", kPlanes},
    {"svm-mrr", kPlanes},
    {"svm-combo", kPlanes},
    {"dorm", kPlanes},
    {"linear", kSteps},
    {"ranknet", kSteps},
    {"lambdarank", kSteps},
    {"listnet", kSteps},
    {"listmle", kSteps},
    {"rankcosine", kSteps},
    {"smoothrank", kSteps},
    {"softrank", kSteps},
    {"mlp", kSteps},
    {"mart", 64, 0, 1, 4},
    {"lambdamart", 64, 0, 1, 4},
    {"mcrank", 64, 0, 1, 4},
    {"gbrank", 64, 0, 1, 4},
    {"isotonic", 64, 0, 1, 4},
    {"intervalrank", 64, 0, 1, 4},
    {"boosting", 64, 0, 1, 4},
    {"directrank-trees", 64, 0, 1, 4},
    {"adarank", 80, 16},  // a value for each query, feature and sign
    {"rankboost", 64, 0, 2, 6},
    {"frank", 64, 0, 2, 6},
    {"coordinate-ascent", 64, 0, 4, 8},
    {"directrank", 540, 0, 4, 8},
    {"feature", 64, 16},
};

const Kept& kept_by(std::string_view learner) {
  const auto* const found = std::find_if(std::begin(kTable), std::end(kTable),
                                         [&](const Kept& kept) { return kept.learner == learner; });
  if (found == std::end(kTable))
    throw Error(ErrorCode::usage, fmt::format("no memory estimate for '{}'", learner));
  return *found;
}

// "32,16" of gradient learners; "" for the others, and for linear models.
std::string layers_of(const Settings& settings) {
  for (const auto& [name, value] : settings.values())
    if (name == "hidden") return to_text(value);
  return {};
}

// Of a network with these hidden layers and one output, with biases.
double count_weights(std::size_t inputs, std::string_view layers) {
  double weights = 0, below = static_cast<double>(inputs);
  while (!layers.empty()) {
    const std::size_t comma = std::min(layers.find(','), layers.size());
    double units = 0;
    std::from_chars(layers.data(), layers.data() + comma, units);
    weights += (below + 1) * units;
    below = units;
    layers.remove_prefix(std::min(comma + 1, layers.size()));
  }
  return weights + below + 1;
}

}  // namespace

std::uint64_t memory_estimate(std::string_view learner, const Settings& settings,
                              const Dataset& train) {
  const Kept& kept = kept_by(learner);
  if (const std::string layers = layers_of(settings); !layers.empty())
    return static_cast<std::uint64_t>(kNetworkWeight * count_weights(train.features(), layers));
  const auto inputs = static_cast<double>(train.features());
  const double of_values =
      train.is_dense() ? kept.per_dense_value * inputs * static_cast<double>(train.documents())
                       : kept.per_sparse_value * static_cast<double>(train.parts().values.size());
  const double per_input =
      kept.per_input + kept.per_input_and_query * static_cast<double>(train.queries());
  return static_cast<std::uint64_t>(per_input * inputs + of_values);
}

void note_memory(std::string_view learner, const Settings& settings, const Dataset& train,
                 Observer& observer) {
  const auto bytes = static_cast<double>(memory_estimate(learner, settings, train));
  if (bytes <= kGigabyte) return;
  const std::string layers = layers_of(settings);
  observer.note(
      fmt::format("{} with {} inputs and {}: about {:.1f} GB of memory in addition to the data",
                  learner, train.features(),
                  layers.empty() ? counted(train.documents(), "document") : "layers of " + layers,
                  bytes / kGigabyte));
}

}  // namespace podium
