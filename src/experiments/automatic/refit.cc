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

// What the runs chose; forests get `longer` times as many trees.
Assignments chosen_options(const CandidateTable& candidates, const Candidate& candidate,
                           const std::vector<const TrainedCell*>& runs, double longer) {
  const auto& fields = learners().at(candidates.learner(candidate)).options();
  Assignments options = candidates.options(candidate);
  std::map<std::string, std::vector<double>> chosen;
  double iterations = 0;
  for (const TrainedCell* run : runs) {
    iterations += static_cast<double>(run->best_iteration) / static_cast<double>(runs.size());
    for (const auto& [name, value] : run->chosen) chosen[name].push_back(value);
  }
  for (const auto& [name, values] : chosen)
    if (is_field(fields, name)) assign(options, name, fmt::format("{}", lower_median(values)));
  // A learner that solves for several values of an option counts these, not epochs.
  const bool counts_values = std::any_of(
      chosen.begin(), chosen.end(), [&](const auto& one) { return is_field(fields, one.first); });
  for (const std::string_view name : kIterationFields)
    if (is_field(fields, name) && iterations > 0 && !(counts_values && name == "epochs"))
      assign(options, std::string(name),
             fmt::format("{}", std::max<std::int64_t>(
                                   1, std::llround((name == "trees" ? longer : 1) * iterations))));
  return options;
}

// A model of data as read, and the scale of its scores of new data: that of the training data times
// the runs' mean ratio.
Refitted refitted(const CandidateTable& candidates, const TrainedCells& cells,
                  const Candidate& candidate, const std::vector<const TrainedCell*>& runs,
                  const Assignments& options, const Dataset& data, Context& context) {
  TrainingSpec spec{.learner = candidates.learner(candidate), .options = options};
  spec.convention = cells.terms().convention;
  spec.measures = {cells.terms().measure};
  Refitted out;
  out.model = train(spec, data, nullptr, context);
  double ratio = 0;
  for (const TrainedCell* run : runs)
    ratio += run->test_scale / run->train_scale / static_cast<double>(runs.size());
  out.scale = ratio * score_scale(data, score(out.model, data, context));
  return out;
}

}  // namespace

Assignments refit_options(const CandidateTable& candidates, const Judging& judging,
                          const TrainedCells& cells, const Candidate& candidate) {
  return chosen_options(candidates, candidate, cells_of(judging, cells, candidate),
                        judging.all_to_fold());
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
  return refitted(candidates, cells, candidate, cells_of(judging, cells, candidate),
                  refit_options(candidates, judging, cells, candidate), data, context);
}

TrainedCell refit_split(const CandidateTable& candidates, const Judging& judging,
                        const TrainedCells& cells, const CellAt& where, Context& context) {
  std::vector<const TrainedCell*> runs;
  for (std::size_t split = 0; split < judging.splits(); ++split) {
    if (judging.stops_by(split, where.split)) continue;
    runs.push_back(&cells.at({where.candidate, split, 1}));
    if (runs.back()->status != TrainedCell::Status::done) return {.status = runs.back()->status};
  }
  const Refitted model = refitted(
      candidates, cells, where.candidate, runs,
      chosen_options(candidates, where.candidate, runs, judging.outside_to_fold(where.split)),
      judging.outside(where.split), context);
  const Dataset& test = judging.split(where.split).data().test;
  TrainedCell cell;
  cell.scores = score(model.model, test, context);
  cell.test_scale = model.scale;
  cell.per_query = Evaluator({cells.terms().measure}, cells.terms().convention)
                       .evaluate(test, cell.scores, context)
                       .per_query[0];
  return cell;
}

}  // namespace podium
