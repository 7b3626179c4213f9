#include "experiments/automatic/refit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace podium {
namespace {

// Options that limit the number of iterations.
constexpr std::string_view kIterationFields[] = {"trees", "epochs", "rounds"};

bool is_field(const std::vector<Field>& fields, std::string_view name) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

double lower_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

std::vector<const TrainedCell*> cells_of(const Judging& judging, const TrainedCells& cells,
                                         const Candidate& candidate) {
  std::vector<const TrainedCell*> out;
  for (std::size_t split = 0; split < judging.splits(); ++split)
    out.push_back(&cells.at({candidate, split, 1}));
  return out;
}

void assign(Assignments& options, const std::string& name, const std::string& value) {
  std::erase_if(options, [&](const auto& one) { return one.first == name; });
  options.emplace_back(name, value);
}

}  // namespace

Assignments refit_options(const CandidateTable& candidates, const Judging& judging,
                          const TrainedCells& cells, const Candidate& candidate) {
  const auto& fields = learners().at(candidates.learner(candidate)).options();
  Assignments options = candidates.options(candidate);
  std::map<std::string, std::vector<double>> chosen;
  double iterations = 0;
  const auto folds = cells_of(judging, cells, candidate);
  for (const TrainedCell* cell : folds) {
    iterations += static_cast<double>(cell->best_iteration) / static_cast<double>(folds.size());
    for (const auto& [name, value] : cell->chosen) chosen[name].push_back(value);
  }
  for (const auto& [name, values] : chosen)
    if (is_field(fields, name)) assign(options, name, fmt::format("{}", lower_median(values)));
  // A learner that solves for several values of an option counts these, not epochs.
  const bool counts_values = std::any_of(
      chosen.begin(), chosen.end(), [&](const auto& one) { return is_field(fields, one.first); });
  for (const std::string_view name : kIterationFields)
    if (is_field(fields, name) && iterations > 0 && !(counts_values && name == "epochs")) {
      const double longer = name == "trees" ? judging.all_to_fold() : 1;
      assign(options, std::string(name),
             fmt::format("{}", std::max<std::int64_t>(1, std::llround(longer * iterations))));
    }
  return options;
}

// A run costs as much as it has documents and iterations; those after the best one are not
// repeated, and forests get more of them.
double refit_work(const CandidateTable& candidates, const Judging& judging,
                  const TrainedCells& cells, const Candidate& candidate) {
  const auto& fields = learners().at(candidates.learner(candidate)).options();
  const bool has_iterations =
      std::any_of(std::begin(kIterationFields), std::end(kIterationFields),
                  [&](std::string_view name) { return is_field(fields, name); });
  double work = 0;
  const auto folds = cells_of(judging, cells, candidate);
  for (const TrainedCell* cell : folds) {
    const double share = has_iterations && cell->iterations > 0 && cell->best_iteration > 0
                             ? std::min(1.0, static_cast<double>(cell->best_iteration) /
                                                 static_cast<double>(cell->iterations))
                             : 1.0;
    work += share * cell->work / static_cast<double>(folds.size());
  }
  const double all = judging.all_to_fold();
  return work * (is_field(fields, "trees") ? all * all : all);
}

Refitted refit(const CandidateTable& candidates, const Judging& judging, const TrainedCells& cells,
               const Candidate& candidate, const Dataset& data, Context& context) {
  TrainingSpec spec{.learner = candidates.learner(candidate),
                    .options = refit_options(candidates, judging, cells, candidate)};
  spec.convention = cells.terms().convention;
  spec.measures = {cells.terms().measure};
  Refitted out;
  out.model = train(spec, data, nullptr, context);
  double ratio = 0;
  const auto folds = cells_of(judging, cells, candidate);
  for (const TrainedCell* cell : folds)
    ratio += cell->test_scale / cell->train_scale / static_cast<double>(folds.size());
  out.scale = ratio * score_scale(data, score(out.model, data, context));
  return out;
}

}  // namespace podium
