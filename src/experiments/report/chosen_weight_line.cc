#include "experiments/report/chosen_weight_line.h"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "experiments/report/weight_line.h"
#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPreferred = "directrank";

const CellRecord* first_record(const CellTable& cells, std::size_t system) {
  const auto& cell = cells.at(system, 0, 0);
  return cell && cell->done() && !cell->importance.empty() ? &*cell : nullptr;
}

struct Choice {
  std::size_t system = 0;
  std::pair<bool, double> merit;  // preferred, then the validation value
  SavedModel model;
};

std::optional<Choice> choose(const ComparisonPlan& plan, const CellTable& cells,
                             const ResultsFolder& folder) {
  std::optional<Choice> chosen;
  for (std::size_t s = 0; s < plan.systems.size(); ++s) {
    const CellRecord* cell = first_record(cells, s);
    if (!cell || plan.systems[s].learner == "feature" || !plan.systems[s].is_one_learner())
      continue;
    SavedModel saved = load_model(folder.model_path(ResultsFolder::cell_name(plan, s, 0, 0)));
    if (!has_weight_line(saved.model)) continue;
    const Json& valid = cell->shown.at("valid").at(plan.labels[0]);
    const std::pair merit(plan.systems[s].learner == kPreferred,
                          valid.is_number() ? valid.get<double>() : 0.0);
    if (!chosen || merit > chosen->merit) chosen = Choice{s, merit, std::move(saved)};
  }
  return chosen;
}

}  // namespace

Json chosen_weight_line(const ComparisonPlan& plan, const CellTable& cells,
                        const ResultsFolder& folder, Context& context) {
  try {
    const auto chosen = choose(plan, cells, folder);
    if (!chosen) return nullptr;
    const System& system = plan.systems[chosen->system];
    const auto view =
        prepare_view(plan.design->load(0, context), preparation_of(system, plan.terms),
                     system.feature, *choose_learner(spec_of(system)).learner,
                     plan.terms.measures[0], plan.terms.convention, context);
    return weight_line(system.name, plan.design->folds()[0], chosen->model,
                       first_record(cells, chosen->system)->importance[0].first, view->train,
                       plan.terms.measures[0], plan.terms.convention, context);
  } catch (const Error& error) {
    context.observer.note(
        fmt::format("the plot of the measure along one weight is left out: {}", error.what()));
    return nullptr;
  }
}

}  // namespace podium
