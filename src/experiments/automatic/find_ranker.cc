// Implements podium/auto.h: the search, the blend, the estimate and the refit, in this order.
#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/random.h"
#include "core/spec.h"
#include "data/content_hashes.h"
#include "experiments/automatic/auto_summary.h"
#include "experiments/automatic/latency.h"
#include "experiments/automatic/nested_estimate.h"
#include "experiments/automatic/refit.h"
#include "experiments/automatic/replay_log.h"
#include "experiments/automatic/run_folder.h"
#include "experiments/blending/usable_data.h"
#include "podium/auto.h"
#include "podium/error.h"
#include "podium/stop.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Clock = TrainedCells::Clock;

// Of the seconds: for the search, until the end of the estimate, and for one training run.
constexpr double kSearchShare = 0.5, kEstimateShare = 0.85, kCellShare = 0.04;

std::vector<std::string> wanted_learners(const std::string& list) {
  if (list.empty()) return auto_learners();
  std::vector<std::string> names;
  for (const std::string_view item : split_outside_parentheses(list, ','))
    names.emplace_back(trim(item));
  return names;
}

// Of the rows in their order: saved scores belong to it.
std::string identity_of_rows(const Dataset& data, Context& context) {
  const ContentHashes hashes = content_hashes(data, {}, context.pool);
  std::uint64_t all = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    all = mix(all, data.end(q) - data.begin(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) all = mix(all, hashes.rows[d]);
  }
  return fmt::format("{:016x}", all);
}

Json identity_of(const AutoOptions& options, const AutoRun& run, const Dataset& train,
                 const Dataset* valid, Context& context) {
  return {{"format", "podium-auto"},
          {"version", run.version},
          {"data", identity_of_rows(train, context)},
          {"valid", valid ? identity_of_rows(*valid, context) : ""},
          {"measure", options.measure},
          {"convention", options.convention},
          {"folds", options.folds},
          {"seed", context.seed}};
}

// What a result depends on besides the data and what the folder is kept by.
Json replay_identity(Json run, const AutoOptions& options) {
  run.erase("format");
  run["learners"] = fmt::format("{}", fmt::join(wanted_learners(options.learners), ","));
  run["members"] = options.members;
  run["simple"] = options.simple;
  run["max-latency"] = options.max_latency;
  return run;
}

// Refuses data that judges nothing, and notes queries that judge what they trained.
void check_data(const Dataset& train, const Dataset* valid, Context& context) {
  require_grades_that_differ(train, "training data");
  if (!valid) return;
  require_grades_that_differ(*valid, "validation data");
  const std::size_t common = queries_in_common(train, *valid, context);
  if (common > 0)
    context.observer.note(
        fmt::format("{} of the {} of the validation data are also in the training data: the "
                    "estimate is too high, and the choice favours what fits too closely",
                    common, counted(valid->queries(), "query", "queries")));
}

// Work after a stop request: the request has been heard.
Context undisturbed(Context& context) {
  return {context.seed, context.pool, context.comm, context.observer, {}, nullptr, context.device};
}

class RankerSearch {
 public:
  RankerSearch(const AutoOptions& options, const AutoRun& run, const Dataset& train,
               const Dataset* valid, Context& context)
      : options_(options),
        run_(run),
        train_(train),
        context_(context),
        began_(Clock::now()),
        identity_(identity_of(options, run, train, valid, context)),
        candidates_(wanted_learners(options.learners), context.seed),
        replay_(run.replay.empty()
                    ? ReplayLog()
                    : read_log(run.replay, candidates_, replay_identity(identity_, options),
                               context.observer)),
        folder_(run.folder, identity_),
        timed_(options.trials == 0 && run.replay.empty()),
        judging_(train, valid, static_cast<std::size_t>(options.folds), context),
        cells_(candidates_, judging_, terms()),
        chooser_(judging_, cells_, static_cast<std::size_t>(options.members)) {
    for (std::size_t f = 0; f < judging_.folds(); ++f) folds_.push_back(f);
    replayed_ = !run.replay.empty();
  }

  AutoResult run();

 private:
  TrainedCells::Terms terms() const {
    TrainedCells::Terms terms;
    terms.convention = find_convention(options_.convention);
    terms.measure = parse_measures(options_.measure, terms.convention).front();
    terms.folder = folder_.cells();
    if (timed_) terms.cell_seconds = std::max(1.0, kCellShare * options_.seconds);
    terms.slow = replay_.slow;
    return terms;
  }
  Clock::time_point after(double share) const {
    return began_ + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(share * options_.seconds));
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  void train_baselines();
  bool search(AutoSearch& search);
  NestedEstimate estimate(std::size_t trials);
  void keep_within_latency(AutoSummary& summary, std::vector<Refitted>& fitted);
  SavedModel blended(const BlendChoice& choice, std::vector<Refitted> fitted) const;
  void write_log(std::size_t trials, std::size_t folds, const std::vector<std::size_t>& members);

  const AutoOptions& options_;
  const AutoRun& run_;
  const Dataset& train_;
  Context& context_;
  Clock::time_point began_;
  Json identity_;
  CandidateTable candidates_;
  ReplayLog replay_;
  RunFolder folder_;
  bool timed_;
  Judging judging_;
  TrainedCells cells_;
  BlendChooser chooser_;
  std::vector<std::size_t> folds_;
  bool replayed_ = false;
};

void RankerSearch::train_baselines() {
  context_.observer.phase("baselines");
  std::vector<CellAt> wanted;
  for (const Candidate& baseline : {candidates_.feature_baseline(), candidates_.boosted_baseline()})
    for (const std::size_t split : judging_.splits_of(folds_)) wanted.push_back({baseline, split});
  cells_.require(wanted, context_);
}

// Returns whether it came to its end.
bool RankerSearch::search(AutoSearch& search) {
  const std::size_t trials = replayed_ ? replay_.trials : static_cast<std::size_t>(options_.trials);
  const auto report = [&](std::size_t done) {
    const auto leaders = search.leaders();
    Iteration step{static_cast<std::int64_t>(done), static_cast<std::int64_t>(trials), {}};
    if (!leaders.empty()) {
      context_.observer.phase(
          fmt::format("searching, best so far {}", candidates_.text(leaders[0].candidate)));
      step.values.emplace_back("best " + options_.measure, leaders[0].value);
    }
    if (timed_)
      step.values.emplace_back("seconds left", std::max(0.0, options_.seconds - elapsed()));
    context_.observer.iteration(step);
    return !timed_ || Clock::now() < after(kSearchShare);
  };
  context_.observer.phase("searching");
  try {
    train_baselines();
    search.run(trials, report, context_);
  } catch (const Stopped&) {
    if (search.leaders().empty()) throw;
    context_.observer.note(
        "stopped: the best blend so far is trained on all data; stop again to give up");
    return false;
  }
  return true;
}

NestedEstimate RankerSearch::estimate(std::size_t trials) {
  context_.observer.phase("estimating");
  if (timed_) cells_.set_deadline(after(kEstimateShare));
  const EstimatePlan plan{trials, replayed_ ? replay_.folds : judging_.folds(), options_.simple};
  NestedEstimate found = nested_estimate(candidates_, judging_, cells_, chooser_, plan, context_);
  cells_.set_deadline({});
  return found;
}

// The best subset of the members that is fast enough.
void RankerSearch::keep_within_latency(AutoSummary& summary, std::vector<Refitted>& fitted) {
  for (const Refitted& member : fitted)
    summary.latencies.push_back(scoring_latency(member.model, train_));
  if (options_.max_latency <= 0) return;
  Context context = undisturbed(context_);
  summary.front =
      latency_front(summary.choice.members, summary.latencies, chooser_, folds_, context);
  const LatencyPoint* chosen = nullptr;
  for (const LatencyPoint& point : summary.front)
    if (replay_.members.empty() ? point.latency <= options_.max_latency
                                : point.members == replay_.members)
      chosen = &point;
  if (!chosen)
    throw Error(ErrorCode::usage,
                fmt::format("‹max-latency {}›: the fastest finalist takes {:.3g} microseconds per "
                            "document",
                            options_.max_latency, summary.front.front().latency));
  BlendChoice kept;
  std::vector<Refitted> models;
  std::vector<double> latencies;
  for (const std::size_t m : chosen->members) {
    kept.members.push_back(summary.choice.members[m]);
    models.push_back(std::move(fitted[m]));
    latencies.push_back(summary.latencies[m]);
  }
  kept.fit = chosen->fit;
  summary.kept = chosen->members;
  summary.choice = std::move(kept);
  summary.latencies = std::move(latencies);
  fitted = std::move(models);
}

SavedModel RankerSearch::blended(const BlendChoice& choice, std::vector<Refitted> fitted) const {
  if (fitted.size() == 1) return std::move(fitted[0].model);
  std::vector<BlendMember> members;
  for (std::size_t m = 0; m < fitted.size(); ++m)
    if (choice.fit.weights[m] != 0)
      members.push_back({choice.fit.weights[m], fitted[m].scale, std::move(fitted[m].model)});
  if (members.size() == 1) return std::move(members[0].saved);
  SavedModel model = make_blend(std::move(members));
  model.measure = measure_label(*cells_.terms().measure, cells_.terms().convention);
  return model;
}

void RankerSearch::write_log(std::size_t trials, std::size_t folds,
                             const std::vector<std::size_t>& members) {
  ReplayLog log{trials, folds, {}, members};
  for (const auto& [where, cell] : cells_.all())
    if (cell.status == TrainedCell::Status::slow) log.slow.insert(where);
  folder_.write("log.json", log_json(log, candidates_, replay_identity(identity_, options_)));
}

AutoResult RankerSearch::run() {
  AutoSearch all(candidates_, judging_, cells_, folds_);
  AutoResult result;
  result.stopped = !search(all);
  const std::vector<JudgedCandidate> leaders = all.leaders();
  if (leaders.empty())
    throw Error(ErrorCode::training, "no learner could be trained: " + first_failure(cells_));
  AutoSummary summary{options_, candidates_, judging_, cells_, run_, train_, context_.seed};
  summary.leaders = leaders;
  summary.judged = all.judged();
  summary.trials = all.trials();
  Context context = undisturbed(context_);
  summary.choice = chooser_.choose(leaders, folds_, context);
  if (options_.simple)
    summary.choice = {{leaders[0]},
                      {.weights = {1},
                       .value = leaders[0].value,
                       .equal_value = leaders[0].value,
                       .held_out = std::numeric_limits<double>::quiet_NaN()}};
  if (!result.stopped) {
    summary.estimate = estimate(all.trials());
    result.stopped = context_.stop.stop_requested();
  }
  std::vector<Refitted> fitted;
  for (const JudgedCandidate& member : summary.choice.members) {
    context.observer.phase("training " + candidates_.text(member.candidate) + " on all data");
    fitted.push_back(refit(candidates_, judging_, cells_, member.candidate, train_, context));
  }
  keep_within_latency(summary, fitted);
  summary.ablation = ablation(summary.choice, chooser_, folds_, context);
  write_log(all.trials(), summary.estimate.folds, summary.kept);
  result.model = blended(summary.choice, std::move(fitted));
  summary.seconds = elapsed();
  const Json json = summary_json(summary, context);
  folder_.write("summary.json", json);
  result.summary = json.dump();
  return result;
}

}  // namespace

const OptionTable<AutoOptions>& auto_option_table() {
  static const auto table =
      OptionTable<AutoOptions>()
          .add("measure", &AutoOptions::measure, "measure to maximise")
          .add("convention", &AutoOptions::convention, "convention for computing measures")
          .add("learners", &AutoOptions::learners,
               "learners to try, separated by commas; none: one list for all data")
          .add("folds", &AutoOptions::folds, "folds over queries that judge", between(3, 100))
          .add("trials", &AutoOptions::trials,
               "number of trials, each a learner with one choice of options; 0: as many as "
               "‹seconds› allow",
               at_least(0))
          .add("seconds", &AutoOptions::seconds, "time for everything, if no ‹trials› are given",
               above(0))
          .add("members", &AutoOptions::members, "maximum members of the blend", between(1, 10))
          .add("simple", &AutoOptions::simple, "the best single learner instead of a blend")
          .add("max-latency", &AutoOptions::max_latency,
               "maximum microseconds per document, measured on one thread of this machine; 0: any",
               at_least(0));
  return table;
}

AutoResult find_ranker(const AutoOptions& options, const AutoRun& run, const Dataset& train,
                       const Dataset* valid, Context& context) {
  if (context.comm.size() > 1)
    throw Error(ErrorCode::usage, "auto runs in one process: start it without mpirun");
  check_data(train, valid, context);
  return RankerSearch(options, run, train, valid, context).run();
}

}  // namespace podium
