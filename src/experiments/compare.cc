// Runs a comparison: cells side by side in the pool, each in one thread, so that results do not
// depend on the number of threads; saved one by one.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "experiments/cell_resources.h"
#include "experiments/comparison_plan.h"
#include "experiments/fold_cache.h"
#include "experiments/memory_gate.h"
#include "experiments/results_folder.h"
#include "experiments/results_json.h"
#include "experiments/weight_line.h"
#include "podium/error.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr double kSecondsBetweenResults = 1;
// What a cell is expected to take beside its fold: prepared copies, bins, derivatives, models.
constexpr std::size_t kCellBytes = std::size_t{16} << 20;
constexpr std::size_t kBytesOfDocument = 200;
constexpr std::size_t kCurveRowsOfAll = 20000;

struct CellPlace {
  std::size_t system, fold, seed;
};

// Which notes were made: the folds of a system tend to say the same.
class NotesMade {
 public:
  bool is_new(const std::string& note) {
    const std::scoped_lock lock(mutex_);
    return made_.insert(note).second;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> made_;
};

// Notes of a system's cells, with its name in front, each once.
class CellNotes final : public Observer {
 public:
  CellNotes(Observer& outer, NotesMade& made, std::string system)
      : outer_(outer), made_(made), system_(std::move(system)) {}
  void note(std::string_view text) override {
    const std::string note = fmt::format("{}: {}", system_, text);
    if (made_.is_new(note)) outer_.note(note);
  }

 private:
  Observer& outer_;
  NotesMade& made_;
  std::string system_;
};

class Comparer {
 public:
  Comparer(const ComparisonPlan& plan, ResultsFolder& folder, std::size_t memory, Context& context)
      : plan_(plan),
        folder_(folder),
        context_(context),
        cells_(plan.systems.size(), plan.folds(), plan.seeds()),
        resources_(folder.resources(), context.pool.threads()),
        gate_(memory) {}

  ComparisonOutcome run();

 private:
  std::vector<CellPlace> missing_cells() const;
  ComparisonOutcome count_cells(std::size_t missing) const;
  void run_cell(const CellPlace& place, FoldCache& folds);
  std::optional<CellRecord> train_cell(const CellPlace& place, const std::string& name,
                                       FoldCache& folds, Context& context);
  void keep(const CellPlace& place, CellRecord record, double seconds);
  double seconds_left() const;
  void write_running_results();
  Json line();
  const CellRecord* first_record(std::size_t system) const;

  const ComparisonPlan& plan_;
  ResultsFolder& folder_;
  Context& context_;
  CellTable cells_;
  CellResources resources_;
  MemoryGate gate_;
  NotesMade notes_made_;
  std::mutex mutex_;  // of what follows and of cells_
  std::size_t finished_ = 0, total_ = 0;
  std::vector<std::vector<double>> seconds_;  // [system] of the cells that ran here
  std::vector<std::size_t> left_;             // [system] cells to run
  Clock::time_point last_results_ = Clock::now();
};

std::vector<CellPlace> Comparer::missing_cells() const {
  std::vector<CellPlace> missing;
  for (std::size_t f = 0; f < plan_.folds(); ++f)
    for (std::size_t s = 0; s < plan_.systems.size(); ++s)
      for (std::size_t seed = 0; seed < plan_.seeds(); ++seed)
        if (!cells_.at(s, f, seed)) missing.push_back({s, f, seed});
  return missing;
}

ComparisonOutcome Comparer::run() {
  folder_.load_cells(plan_, cells_);
  const std::vector<CellPlace> missing = missing_cells();
  total_ = missing.size();
  seconds_.resize(plan_.systems.size());
  left_.resize(plan_.systems.size());
  std::vector<std::size_t> of_fold(plan_.folds());
  for (const CellPlace& place : missing) {
    ++of_fold[place.fold];
    ++left_[place.system];
  }
  FoldCache folds(*plan_.design, of_fold);
  if (!missing.empty()) write_running_results();
  context_.observer.phase(fmt::format("comparing {} systems", plan_.systems.size()));
  context_.pool.run(missing.size(), [&](std::size_t i) { run_cell(missing[i], folds); });

  const ComparisonOutcome outcome = count_cells(missing.size());
  const bool complete = outcome.done + outcome.failed == outcome.cells;
  context_.observer.phase("testing differences");
  folder_.write_per_query(plan_, cells_);
  folder_.write_results(results_json(plan_, cells_, complete ? Stage::complete : Stage::running,
                                     complete ? line() : Json(nullptr), context_));
  folder_.write_resources(resources_.text());
  return outcome;
}

ComparisonOutcome Comparer::count_cells(std::size_t missing) const {
  ComparisonOutcome outcome;
  outcome.cells = plan_.cells();
  outcome.found = outcome.cells - missing;
  for (std::size_t s = 0; s < plan_.systems.size(); ++s)
    for (std::size_t f = 0; f < plan_.folds(); ++f)
      for (std::size_t seed = 0; seed < plan_.seeds(); ++seed)
        if (const auto& cell = cells_.at(s, f, seed))
          ++(cell->done() ? outcome.done : outcome.failed);
  return outcome;
}

void Comparer::run_cell(const CellPlace& place, FoldCache& folds) {
  if (context_.stop.stop_requested()) return;
  const std::string name = ResultsFolder::cell_name(plan_, place.system, place.fold, place.seed);
  CellNotes notes(context_.observer, notes_made_, plan_.systems[place.system].name);
  Context context{plan_.seed + place.seed, context_.pool, context_.comm, notes, context_.stop};
  const System& system = plan_.systems[place.system];
  const std::string& fold = plan_.design->folds()[place.fold];
  const auto began = Clock::now();
  std::optional<CellRecord> record;
  try {
    record = train_cell(place, name, folds, context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::file) throw;  // a full disk is no learner's failure
    record = failed_cell(system, fold, context.seed, error.message());
  }
  if (!record) return;
  folder_.save_cell(name, *record, plan_.version);
  keep(place, std::move(*record), std::chrono::duration<double>(Clock::now() - began).count());
}

std::optional<CellRecord> Comparer::train_cell(const CellPlace& place, const std::string& name,
                                               FoldCache& folds, Context& context) {
  const System& system = plan_.systems[place.system];
  const auto fold = folds.get(place.fold, context);
  const FoldData& data = fold->data();
  const std::string label = fmt::format("{}{}", system.name, name.substr(system.file_name.size()));
  const MemoryGate::Pass pass(
      gate_, 2 * data.bytes() + kCellBytes + kBytesOfDocument * data.train.documents());
  resources_.begin(label);
  struct End {
    CellResources& resources;
    const std::string& name;
    ~End() { resources.end(name); }
  } const end{resources_, label};
  const auto view = fold->view(preparation_of(system, plan_.terms), system.feature, context);
  const auto run = train_system(system, plan_.terms, *view, context);
  if (!run) return {};
  const CellFiles files{plan_.design->files(place.fold),
                        std::clamp<std::size_t>(kCurveRowsOfAll / plan_.cells(), 20, 200)};
  CellRecord record = finished_cell(system, plan_.design->folds()[place.fold], *run, plan_.terms,
                                    *view, files, context);
  SavedModel saved = run->saved;
  for (const auto& [label, value] : record.shown["valid"].items())
    if (value.is_number()) saved.training.validation[label] = value.get<double>();
  save_model(saved, folder_.model_path(name));
  return record;
}

void Comparer::keep(const CellPlace& place, CellRecord record, double seconds) {
  const std::scoped_lock lock(mutex_);
  cells_.at(place.system, place.fold, place.seed) = std::move(record);
  ++finished_;
  --left_[place.system];
  seconds_[place.system].push_back(seconds);
  context_.observer.iteration({static_cast<std::int64_t>(finished_),
                               static_cast<std::int64_t>(total_),
                               {{"seconds left", seconds_left()}}});
  if (std::chrono::duration<double>(Clock::now() - last_results_).count() >= kSecondsBetweenResults)
    write_running_results();
}

// Cells take as long as those of the same system, or else as the mean of all.
double Comparer::seconds_left() const {
  double all = 0, left = 0;
  for (const auto& of_system : seconds_)
    all += std::accumulate(of_system.begin(), of_system.end(), 0.0);
  all /= static_cast<double>(std::max<std::size_t>(finished_, 1));
  for (std::size_t s = 0; s < seconds_.size(); ++s) {
    const auto& known = seconds_[s];
    const double mean = known.empty() ? all
                                      : std::accumulate(known.begin(), known.end(), 0.0) /
                                            static_cast<double>(known.size());
    left += mean * static_cast<double>(left_[s]);
  }
  return std::round(left / context_.pool.threads());
}

void Comparer::write_running_results() {
  folder_.write_results(results_json(plan_, cells_, Stage::running, nullptr, context_));
  folder_.write_resources(resources_.text());
  last_results_ = Clock::now();
}

const CellRecord* Comparer::first_record(std::size_t system) const {
  const auto& cell = cells_.at(system, 0, 0);
  return cell && cell->done() && !cell->importance.empty() ? &*cell : nullptr;
}

// Of the systems with linear models, directrank or the one best on the first fold's validation
// part.
Json Comparer::line() {
  std::optional<std::size_t> chosen;
  double best = 0;
  std::optional<SavedModel> model;
  for (std::size_t s = 0; s < plan_.systems.size(); ++s) {
    const CellRecord* cell = first_record(s);
    if (!cell || plan_.systems[s].learner == "feature") continue;
    SavedModel saved = load_model(folder_.model_path(ResultsFolder::cell_name(plan_, s, 0, 0)));
    if (!std::holds_alternative<Linear>(saved.model)) continue;
    const Json& valid = cell->shown["valid"][plan_.labels[0]];
    double value = valid.is_number() ? valid.get<double>() : 0;
    if (plan_.systems[s].learner == "directrank") value += 1e6;
    if (chosen && value <= best) continue;
    chosen = s;
    best = value;
    model = std::move(saved);
  }
  if (!chosen) return nullptr;
  const System& system = plan_.systems[*chosen];
  const auto view = prepare_view(plan_.design->load(0, context_),
                                 preparation_of(system, plan_.terms), system.feature, context_);
  return weight_line(system.name, plan_.design->folds()[0], *model,
                     first_record(*chosen)->importance[0].first, view->train,
                     plan_.terms.measures[0], plan_.terms.convention, context_);
}

}  // namespace

ComparisonOutcome compare(const ComparisonOptions& options, const ComparisonRun& run,
                          Context& context) {
  const std::size_t memory = run.memory_bytes ? run.memory_bytes : machine_memory() / 4 * 3;
  const ComparisonPlan plan = plan_comparison(options, run, memory / 4, context);
  if (!run.folds_to.empty()) write_folds(*plan.design, run.folds_to, context);
  ResultsFolder folder(run.folder);
  folder.require_same_comparison(plan);
  return Comparer(plan, folder, memory, context).run();
}

}  // namespace podium
