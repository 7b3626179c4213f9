// Implements podium/auto.h: the search, the blend, the estimate and the refit, in this order.
#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "core/counted.h"
#include "experiments/automatic/auto_summary.h"
#include "experiments/automatic/latency.h"
#include "experiments/automatic/nested_estimate.h"
#include "experiments/automatic/pacing.h"
#include "experiments/automatic/refit.h"
#include "experiments/automatic/replay_log.h"
#include "experiments/automatic/run_folder.h"
#include "experiments/automatic/run_identity.h"
#include "experiments/blending/usable_data.h"
#include "podium/auto.h"
#include "podium/error.h"
#include "podium/stop.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Clock = TrainedCells::Clock;

// Without a limit of time: training queries from which candidates race on a part of them first.
constexpr std::size_t kManyQueries = 1000;
constexpr int kShareOfMany = 4;
constexpr int kMostEstimates = 4;  // each after a part of the search

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
    terms.slow = replay_.slow;
    terms.cut = replay_.cut;
    return terms;
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  void decide_plan();
  void report(const AutoSearch& search, std::size_t done);
  void train_baselines();
  bool search(AutoSearch& search);
  BlendChoice choose(const std::vector<JudgedCandidate>& leaders);
  bool refits_in_estimate() const;
  bool estimate(const AutoSearch& search, NestedEstimate& found);
  void note_unfinished(const NestedEstimate& found, std::size_t trials);
  void keep_within_latency(AutoSummary& summary, std::vector<Refitted>& fitted);
  SavedModel blended(const BlendChoice& choice, std::vector<Refitted> fitted) const;
  void write_log(const AutoSummary& summary);

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
  SearchPlan plan_;
  std::optional<Pacing> pacing_;  // with a limit of time
};

// How candidates are judged: by the log, by the first training run, or by the data alone.
void RankerSearch::decide_plan() {
  if (replayed_) {
    plan_ = replay_.plan;
    if (plan_.first_fold && !judging_.can_judge_by_first_fold())
      throw Error(ErrorCode::data, "not a log of `podium auto`, or damaged", {run_.replay});
    if (plan_.first_fold) judging_.judge_by_first_fold();
  } else if (timed_) {
    pacing_.emplace(
        Pacing::Setting{options_.seconds, static_cast<std::size_t>(options_.members), began_},
        candidates_, judging_, cells_, chooser_, context_.pool.threads());
    plan_ = pacing_->measure(context_);
    if (plan_.first_fold)
      context_.observer.note(
          fmt::format("a training run takes {:.2g} of the {:g} seconds: candidates are judged on "
                      "one fold of {} queries",
                      pacing_->first_seconds(), options_.seconds, judging_.data().queries()));
    if (plan_.share > 1)
      context_.observer.note(
          fmt::format("candidates are tried on {} of {} training queries first",
                      judging_.training_queries() / static_cast<std::size_t>(plan_.share),
                      judging_.training_queries()));
  } else if (judging_.training_queries() >= kManyQueries) {
    plan_.share = kShareOfMany;
  }
}

void RankerSearch::train_baselines() {
  context_.observer.phase("baselines");
  for (const Candidate& baseline :
       {candidates_.boosted_baseline(), candidates_.feature_baseline()}) {
    std::vector<CellAt> wanted;
    for (const std::size_t split : judging_.splits_of(folds_)) wanted.push_back({baseline, split});
    if (pacing_) pacing_->begin_runs(std::span(&baseline, 1), wanted.size());
    cells_.require(wanted, context_);
  }
}

void RankerSearch::report(const AutoSearch& search, std::size_t done) {
  if (done == 0) return;
  const std::size_t trials = replayed_ ? replay_.trials : static_cast<std::size_t>(options_.trials);
  const auto leaders = search.leaders();
  Iteration step{static_cast<std::int64_t>(done), static_cast<std::int64_t>(trials), {}};
  if (!leaders.empty()) {
    context_.observer.phase(
        fmt::format("searching, best so far {}", candidates_.text(leaders[0].candidate)));
    step.values.emplace_back("best " + options_.measure, leaders[0].value);
  }
  if (timed_) step.values.emplace_back("seconds left", std::max(0.0, options_.seconds - elapsed()));
  context_.observer.iteration(step);
}

// Returns whether it came to its end. May be called again, to go on.
bool RankerSearch::search(AutoSearch& search) {
  const std::size_t trials = replayed_ ? replay_.trials : static_cast<std::size_t>(options_.trials);
  const auto said = [&](std::size_t done) { report(search, done); };
  AutoSearch::Pace pace;
  if (pacing_)
    pace = pacing_->pace(search, said);
  else
    pace.go_on = [&](AutoSearch::Step, std::size_t done) {
      said(done);
      return true;
    };
  context_.observer.phase("searching");
  try {
    search.run(trials, pace, context_);
  } catch (const OutOfTime&) {
  } catch (const Stopped&) {
    if (search.leaders().empty()) throw;
    context_.observer.note(
        "stopped: the best blend so far is trained on all data; stop again to give up");
    return false;
  }
  return true;
}

BlendChoice RankerSearch::choose(const std::vector<JudgedCandidate>& leaders) {
  Context context = undisturbed(context_);
  if (!options_.simple) return chooser_.choose(leaders, folds_, context);
  return {{leaders[0]},
          {.weights = {1},
           .value = leaders[0].value,
           .equal_value = leaders[0].value,
           .held_out = std::numeric_limits<double>::quiet_NaN()}};
}

// Whether the estimate is extrapolated to the size of all data.
bool RankerSearch::refits_in_estimate() const {
  if (judging_.splits() == 1) return false;
  if (replayed_) return replay_.refits;
  return !pacing_ || pacing_->time_for_refits();
}

// Returns false if it was stopped. One of fewer folds does not replace an earlier one.
bool RankerSearch::estimate(const AutoSearch& search, NestedEstimate& found) {
  context_.observer.phase("estimating");
  if (pacing_) pacing_->begin_estimate(search);
  const EstimatePlan plan{replayed_ ? replay_.estimate_trials : search.trials(), plan_,
                          replayed_ ? replay_.folds : judging_.folds(), options_.simple,
                          refits_in_estimate()};
  const auto go_on = [&] { return !pacing_ || pacing_->time_for_estimate(); };
  NestedEstimate next =
      nested_estimate(candidates_, judging_, cells_, chooser_, plan, go_on, context_);
  if (pacing_) pacing_->end_estimate(next.folds, next.refit_work);
  next.cells += found.cells;
  next.seconds += found.seconds;
  if (next.folds >= found.folds) found = std::move(next);
  return !context_.stop.stop_requested();
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

void RankerSearch::note_unfinished(const NestedEstimate& found, std::size_t trials) {
  if (found.folds == 0) return;
  const std::string_view why = context_.stop.stop_requested() ? "stopped" : "the time is over";
  if (found.folds < judging_.folds())
    context_.observer.note(fmt::format("{}: the estimate is of {} of the {} folds", why,
                                       found.folds, judging_.folds()));
  if (found.trials < trials)
    context_.observer.note(fmt::format(
        "{}: the estimate is of the search after {} of its {} trials", why, found.trials, trials));
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

void RankerSearch::write_log(const AutoSummary& summary) {
  ReplayLog log{.trials = summary.trials,
                .folds = summary.estimate.folds,
                .estimate_trials = summary.estimate.trials,
                .refits = !summary.estimate.larger.empty(),
                .plan = plan_,
                .members = summary.kept};
  for (const auto& [where, cell] : cells_.all()) {
    if (cell.status == TrainedCell::Status::slow) log.slow.insert(where);
    if (cell.cut) log.cut[where] = cell.iterations;
  }
  folder_.write("log.json", log_json(log, candidates_, replay_identity(identity_, options_)));
}

AutoResult RankerSearch::run() {
  decide_plan();
  AutoSearch all(candidates_, judging_, cells_, folds_, plan_);
  AutoResult result;
  NestedEstimate estimated;
  train_baselines();
  for (int part = 0; part < kMostEstimates; ++part) {
    const std::size_t before = all.trials();
    result.stopped = !search(all);
    if (all.leaders().empty())
      throw Error(ErrorCode::training, "no learner could be trained: " + first_failure(cells_));
    if (result.stopped || (part > 0 && all.trials() == before)) break;
    result.stopped = !estimate(all, estimated);
    if (result.stopped || !pacing_) break;
    if (part == 0) all.set_plan(plan_ = pacing_->plan_rounds());
    if (!pacing_->search_on(all)) break;
  }
  if (pacing_) note_unfinished(estimated, all.trials());
  AutoSummary summary{options_, candidates_, judging_, cells_, run_, train_, context_.seed};
  summary.plan = plan_;
  summary.leaders = all.leaders();
  summary.judged = all.judged();
  summary.trials = all.trials();
  for (std::size_t f = all.defaults(); f < all.order().size(); ++f)
    summary.not_tried.push_back(all.order()[f]);
  summary.choice = choose(summary.leaders);
  summary.estimate = std::move(estimated);
  Context context = undisturbed(context_);
  std::vector<Refitted> fitted;
  for (const JudgedCandidate& member : summary.choice.members) {
    context.observer.phase("training " + candidates_.text(member.candidate) + " on all data");
    fitted.push_back(refit(candidates_, judging_, cells_, member.candidate, train_, context));
  }
  keep_within_latency(summary, fitted);
  summary.ablation = ablation(summary.choice, chooser_, folds_, context);
  write_log(summary);
  result.model = blended(summary.choice, std::move(fitted));
  summary.seconds = elapsed();
  const Json json = summary_json(summary, context);
  folder_.write("summary.json", json);
  result.summary = json.dump();
  return result;
}

}  // namespace

AutoResult find_ranker(const AutoOptions& options, const AutoRun& run, const Dataset& train,
                       const Dataset* valid, Context& context) {
  if (context.comm.size() > 1)
    throw Error(ErrorCode::usage, "auto runs in one process: start it without mpirun");
  check_data(train, valid, context);
  return RankerSearch(options, run, train, valid, context).run();
}

}  // namespace podium
