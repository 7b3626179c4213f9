// Runs a comparison: cells run in parallel in the pool, each in one thread, so that results do not
// depend on the number of threads, and are saved one by one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "experiments/comparison/cell_notes.h"
#include "experiments/comparison/cell_resources.h"
#include "experiments/comparison/combined_systems.h"
#include "experiments/comparison/comparison_plan.h"
#include "experiments/comparison/fold_cache.h"
#include "experiments/comparison/memory_gate.h"
#include "experiments/comparison/results_folder.h"
#include "experiments/comparison/results_json.h"
#include "experiments/report/chosen_weight_line.h"
#include "learners/training_record.h"
#include "measures/label_notes.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Intermediate results are written every second, but for at most a twentieth of the time.
constexpr double kSecondsBetweenResults = 1;
constexpr double kMostShareOfWriting = 0.05;
// The memory that a cell is expected to need in addition to its fold: prepared copies, bins,
// derivatives, models.
constexpr std::size_t kCellBytes = std::size_t{16} << 20;
constexpr std::size_t kBytesOfDocument = 200;

struct CellPlace {
  std::size_t system, fold, seed;
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
  void note_labels_once(const Dataset& data);
  void run_cell(const CellPlace& place, FoldCache& folds);
  std::optional<CellRecord> try_cell(const CellPlace& place, const std::string& name,
                                     FoldCache& folds);
  std::optional<CellRecord> train_cell(const CellPlace& place, const std::string& name,
                                       FoldCache& folds, Context& context);
  std::optional<CellRecord> combine_cell(const CellPlace& place, const std::string& name,
                                         PreparedFold& fold, Context& context);
  void keep(const CellPlace& place, CellRecord record, double seconds);
  double seconds_left() const;
  void write_running_results();

  const ComparisonPlan& plan_;
  ResultsFolder& folder_;
  Context& context_;
  CellTable cells_;
  CellResources resources_;
  MemoryGate gate_;
  NotesMade notes_made_;
  std::atomic<bool> broken_ = false;  // a cell threw: no other begins
  std::mutex mutex_;                  // for the following members and cells_
  std::size_t finished_ = 0, total_ = 0;
  std::vector<std::vector<double>> seconds_;  // [system] of the cells of this run
  std::vector<std::size_t> left_;             // [system] cells to run
  Clock::time_point last_results_ = Clock::now();
  double seconds_of_writing_ = 0;  // the last time
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
  context_.observer.phase("comparing " + counted(plan_.systems.size(), "system"));
  context_.pool.run(missing.size(), [&](std::size_t i) { run_cell(missing[i], folds); });

  const ComparisonOutcome outcome = count_cells(missing.size());
  const bool complete = outcome.done + outcome.failed == outcome.cells;
  context_.observer.phase("testing differences");
  folder_.write_per_query(plan_, cells_);
  folder_.write_resources(resources_.text());  // before the results are marked complete
  folder_.write_results(results_json(
      plan_, cells_, complete ? ResultsState::complete : ResultsState::running,
      complete ? chosen_weight_line(plan_, cells_, folder_, context_) : Json(nullptr), context_));
  plan_.design->require_unchanged(context_.comm);
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
  if (context_.stop.stop_requested() || broken_) return;
  struct Guard {
    std::atomic<bool>& broken;
    bool ended = false;
    ~Guard() {
      if (!ended) broken = true;
    }
  } guard{broken_};
  const auto began = Clock::now();
  const std::string name = ResultsFolder::cell_name(plan_, place.system, place.fold, place.seed);
  if (auto record = try_cell(place, name, folds)) {
    plan_.design->require_unchanged(context_.comm);
    folder_.save_cell(name, *record, plan_.version);
    keep(place, std::move(*record), std::chrono::duration<double>(Clock::now() - began).count());
  }
  guard.ended = true;
}

// A failed training run gives a record; nullopt after a stop request, whatever the learner
// returned.
std::optional<CellRecord> Comparer::try_cell(const CellPlace& place, const std::string& name,
                                             FoldCache& folds) {
  const System& system = plan_.systems[place.system];
  CellNotes notes(context_.observer, notes_made_, system.name);
  Context context{plan_.seed + place.seed, context_.pool, context_.comm,  notes,
                  context_.stop,           nullptr,       context_.device};
  const auto failed = [&](const std::string& message) {
    return failed_cell(system, plan_.design->folds()[place.fold], context.seed,
                       spell_options(message, plan_.spelling));
  };
  try {
    return train_cell(place, name, folds, context);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::file) throw;  // a full disk is not the learner's fault
    if (context_.stop.stop_requested()) return {};
    return failed(error.what());
  } catch (const std::bad_alloc&) {
    return failed("not enough memory: fewer ‹threads›, or ‹memory›, let fewer cells run at once");
  }
}

// Of the measures, once for all folds and systems.
void Comparer::note_labels_once(const Dataset& data) {
  const LabelRange labels = label_range(data.labels(), context_.comm);
  for (const std::string& note : label_notes(labels, label_users(plan_.terms.measures)))
    if (notes_made_.is_new(note)) context_.observer.note(note);
}

std::optional<CellRecord> Comparer::train_cell(const CellPlace& place, const std::string& name,
                                               FoldCache& folds, Context& context) {
  const System& system = plan_.systems[place.system];
  const std::string label = fmt::format("{}{}", system.name, name.substr(system.file_name.size()));
  const FoldSize size = plan_.design->size(place.fold);
  const MemoryGate::Pass pass(
      gate_, 2 * size.bytes + kCellBytes + kBytesOfDocument * size.train_documents);
  const auto fold = folds.get(place.fold, context);
  note_labels_once(fold->data().train);
  if (!system.scores.empty())
    return outside_cell(system, plan_.design->folds()[place.fold], plan_.terms, fold->data().test,
                        context);
  resources_.begin(label);
  struct End {
    CellResources& resources;
    const std::string& name;
    ~End() { resources.end(name); }
  } const end{resources_, label};
  if (system.is_combined()) return combine_cell(place, name, *fold, context);
  const auto view = fold->view(preparation_of(system, plan_.terms), system.feature,
                               *choose_learner(spec_of(system)).learner, plan_.terms.measures[0],
                               plan_.terms.convention, context);
  const auto run = train_system(system, plan_.terms, *view, context);
  if (!run) return {};
  if (!run->saved.training.useless.empty()) context.observer.note(useless_text(run->saved));
  CellRecord record = finished_cell(system, plan_.design->folds()[place.fold], *run, plan_.terms,
                                    *view, cell_files(plan_, place.fold), context);
  if (auto useless = record.shown.find("useless"); useless != record.shown.end())
    *useless = spell_options(useless->get<std::string>(), plan_.spelling);
  SavedModel saved = run->saved;
  for (const auto& [label, value] : record.shown["valid"].items())
    if (value.is_number()) saved.training.validation[label] = value.get<double>();
  save_model(saved, folder_.model_path(name));
  return record;
}

std::optional<CellRecord> Comparer::combine_cell(const CellPlace& place, const std::string& name,
                                                 PreparedFold& fold, Context& context) {
  const System& system = plan_.systems[place.system];
  const auto saved = train_combined(system, plan_.terms, fold, context);
  if (!saved) return {};
  save_model(*saved, folder_.model_path(name));
  return combined_cell(system, plan_.design->folds()[place.fold], *saved, plan_.terms, fold.data(),
                       context);
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
  const double since = std::chrono::duration<double>(Clock::now() - last_results_).count();
  if (since >= std::max(kSecondsBetweenResults, seconds_of_writing_ / kMostShareOfWriting))
    write_running_results();
}

// Cells are expected to take as long as those of the same system, or else as the mean of all.
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
  const auto began = Clock::now();
  folder_.write_resources(resources_.text());
  folder_.write_results(results_json(plan_, cells_, ResultsState::running, nullptr, context_));
  last_results_ = Clock::now();
  seconds_of_writing_ = std::chrono::duration<double>(last_results_ - began).count();
}

}  // namespace

ComparisonOutcome compare(const ComparisonOptions& options, const ComparisonRun& run,
                          Context& context) {
  const std::size_t memory = run.memory_bytes ? run.memory_bytes : machine_memory() / 4 * 3;
  const ComparisonPlan plan = plan_comparison(options, run, memory / 4, context);
  ResultsFolder folder(run.folder);
  folder.require_same_comparison(plan);
  if (!run.folds_to.empty()) write_folds(*plan.design, run.folds_to, context);
  return Comparer(plan, folder, memory, context).run();
}

}  // namespace podium
