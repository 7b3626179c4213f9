#include "learners/memory_estimate.h"

#include <fmt/format.h>

#include "core/counted.h"

namespace podium {
namespace {

constexpr double kGigabyte = 1e9;

}  // namespace

MemoryNeed memory_for(const KeptBytes& kept, const Dataset& train) {
  const auto inputs = static_cast<double>(train.features());
  const double of_values =
      train.is_dense() ? kept.per_dense_value * inputs * static_cast<double>(train.documents())
                       : kept.per_sparse_value * static_cast<double>(train.parts().values.size());
  const double per_input =
      kept.per_input + kept.per_input_and_query * static_cast<double>(train.queries());
  return {static_cast<std::uint64_t>(per_input * inputs + of_values),
          counted(train.documents(), "document")};
}

MemoryNeed Learner::memory_need(const Dataset& train) const {
  return memory_for({}, train);
}

void note_memory(std::string_view name, const Learner& learner, const Dataset& train,
                 Observer& observer) {
  const MemoryNeed need = learner.memory_need(train);
  const auto bytes = static_cast<double>(need.bytes);
  if (bytes <= kGigabyte) return;
  observer.note(
      fmt::format("{} with {} inputs and {}: about {:.1f} GB of memory in addition to the data",
                  name, train.features(), need.shape, bytes / kGigabyte));
}

}  // namespace podium
