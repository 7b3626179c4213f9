// Permutation importance: how much the measure decreases on data when a feature is shuffled.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cli/inspect.h"
#include "learners/permutation_importance.h"
#include "podium/model.h"

namespace podium::cli {

Inspection inspect_importance(const std::string& path, const ImportanceArguments& arguments,
                              const DataOptions& reading, Context& context) {
  const SavedModel saved = load_model(path);
  const Convention& convention = find_convention("podium");
  const MeasurePtr measure = parse_measure(arguments.measure, convention);
  const Dataset data =
      prepare_inputs(saved, reading.read_for({&saved, 1}, arguments.data, context), context);
  context.observer.phase("shuffling features");
  const auto loss =
      permutation_importance(saved.model, data, measure, convention, arguments.repeats, context);
  const std::vector<std::string> names = input_names(saved);
  std::vector<std::size_t> order(loss.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return loss[a] > loss[b]; });
  Inspection out;
  out.json = {{"file", path},
              {"kind", "importance"},
              {"data", arguments.data},
              {"measure", measure->name()},
              {"repeats", arguments.repeats},
              {"importance", Json::array()}};
  out.text = fmt::format("{}: loss of {} on {} when a feature is shuffled within queries\n", path,
                         measure->name(), arguments.data);
  for (const std::size_t f : order) {
    out.json["importance"].push_back({{"feature", names[f]}, {"importance", loss[f]}});
    out.text += fmt::format("  {:<24} {:.6f}\n", names[f], loss[f]);
  }
  return out;
}

}  // namespace podium::cli
