// DirectRank [Tan13]: a linear model that climbs the measure itself by exact line searches
// (direct_search.h), from many starts at once. After every round of every climb the model is a
// candidate: the best on the validation data is taken, or on the training data when there are none.
//
// Starts are random points and other learners' solutions. Then the highest point on the training
// data is kicked, a few times: small random changes of all weights, from which it climbs again.
//
// Climbs take their rounds side by side, one a thread, and meet after each: what is logged and
// chosen does not depend on threads. With several ranks they go one after another, as every search
// is then a matter of all ranks.
//
// Differs from [Tan13]: not all starts are random, there are kicks, and features are scaled.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "learners/catalog.h"
#include "learners/direct_search/deadline.h"
#include "learners/direct_search/direct_search.h"
#include "learners/direct_search/starts.h"
#include "learners/early_stopping.h"
#include "models/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

// Up to this many documents the likely point of an interval is worth its time. [Tan13] takes it
// for LETOR's sets (up to 84,000 documents), and the middle for those from 473,000 on.
constexpr std::int64_t kSmallData = 200'000;
constexpr std::int64_t kKicksAtOnce = 4;

struct DirectRankOptions {
  std::string objective = "auto";
  std::string directions = "coordinates";
  std::string order = "cyclic";
  std::string point = "auto";
  std::int64_t restarts = 20;
  std::string starts = "auto";
  std::int64_t kicks = 12;
  std::string direction_loss = "lambda-ndcg";
  double l2 = 0;
  double l1 = 0;
  std::int64_t max_rounds = 100;
  double tolerance = 1e-5;
  std::int64_t early_stopping = 10;
  double max_seconds = 0;
};

const OptionTable<DirectRankOptions>& table() {
  using Options = DirectRankOptions;
  static const auto options =
      OptionTable<Options>()
          .add("objective", &Options::objective,
               "the measure to optimise, e.g. AP or nDCG@5; auto: the one of --measure")
          .add("directions", &Options::directions,
               "coordinates: features; powell: Powell's set of directions; gradient: of "
               "--direction-loss; mixed: features, the round's displacement and a gradient",
               {"coordinates", "powell", "gradient", "mixed"})
          .add("order", &Options::order,
               "cyclic: a step along each direction in turn; greedy: one along the best",
               {"cyclic", "greedy"})
          .add("point", &Options::point,
               "where in the best interval: its middle, its Plackett-Luce maximum, or auto: the "
               "latter up to 200,000 documents",
               {"auto", "middle", "plackett-luce"})
          .add("restarts", &Options::restarts, "random points to start from", at_least(0))
          .add("starts", &Options::starts,
               "learners of linear models whose solutions are starts too, e.g. "
               "linear,ranksvm(C=10); auto: linear, ranksvm, svm-map, listnet, lambdarank, "
               "and softrank up to 10 million pairs of documents; empty: none")
          .add("kicks", &Options::kicks,
               "climbs from small random changes of the best weights found", at_least(0))
          .add("direction-loss", &Options::direction_loss,
               "the loss whose gradients are followed, for gradient and mixed")
          .add("l2", &Options::l2,
               "price of the square of a step, in units of the weights' length; 0: none",
               at_least(0))
          .add("l1", &Options::l1, "price of the size of a step; 0: none", at_least(0))
          .add("max-rounds", &Options::max_rounds, "most rounds from each start", at_least(1))
          .add("tolerance", &Options::tolerance,
               "a climb ends when a round gains no more than this", at_least(0))
          .add("early-stopping", &Options::early_stopping,
               "a climb ends when the validation measure has not improved for this many rounds; "
               "0: never",
               at_least(0))
          .add("max-seconds", &Options::max_seconds, "stop after this time; 0: never", at_least(0))
          .search("l2", by_factors(1e-4, 1))
          .search("l1", by_factors(1e-4, 0.1))
          .search("point", among({"middle", "plackett-luce"}));
  return options;
}

DirectSearchOptions search_options(const DirectRankOptions& options, std::int64_t documents) {
  using Directions = DirectSearchOptions::Directions;
  DirectSearchOptions search;
  if (options.directions == "powell") search.directions = Directions::powell;
  if (options.directions == "gradient") search.directions = Directions::gradient;
  if (options.directions == "mixed") search.directions = Directions::mixed;
  if (options.order == "greedy") search.order = DirectSearchOptions::Order::greedy;
  const bool likely =
      options.point == "plackett-luce" || (options.point == "auto" && documents <= kSmallData);
  search.step = {likely ? StepRule::Point::plackett_luce : StepRule::Point::middle, options.l1,
                 options.l2};
  search.tolerance = options.tolerance;
  return search;
}

// This rank's queries for which the measure has no value. Error where no rank has another one.
std::size_t count_skipped(const Dataset& data, const Measure& measure, Context& context) {
  std::int64_t used = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    std::vector<float> ideal;
    for (const float label : data.labels(q))
      if (!std::isnan(label)) ideal.push_back(label);
    std::sort(ideal.begin(), ideal.end(), std::greater<>());
    used += data.query_weight(q) > 0 && measure.value({data.labels(q), ideal}).has_value();
  }
  const std::size_t skipped = data.queries() - static_cast<std::size_t>(used);
  context.comm.all_reduce_sum(std::span(&used, 1));
  if (used == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query says anything to {}: each lacks a relevant document (see "
                            "--relevant-from) or has weight 0",
                            measure.name()));
  return skipped;
}

class DirectRanker {
 public:
  DirectRanker(const TrainingProblem& problem, const DirectRankOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        quiet_{context.seed, context.pool, context.comm, silent_, context.stop},
        objective_(options.objective == "auto"
                       ? problem.measure
                       : parse_measure(options.objective, problem.convention)),
        deadline_(options.max_seconds) {}

  TrainingResult run();

 private:
  struct Racer {
    std::unique_ptr<Climb> climb;
    std::int64_t start;  // counted from 1
    EarlyStopping best;
    std::optional<Termination> why = {};  // it ended
    std::vector<double> valid = {};       // the measures after its last round
  };

  std::unique_ptr<SearchSpace> make_space();
  Racer racer(const SearchSpace& space, std::vector<double> weights);
  void race(std::vector<Racer> racers);
  void race_from_kicks(const SearchSpace& space);
  void advance_all(std::span<Racer* const> active, std::int64_t round);
  void advance(Racer& racer, std::int64_t round);
  void keep_if_best(const Racer& racer, std::int64_t round);

  const TrainingProblem& problem_;
  const DirectRankOptions& options_;
  Context& context_;
  Observer silent_;
  Context quiet_;  // for climbs, which may run in parallel
  MeasurePtr objective_;
  Deadline deadline_;
  std::vector<MeasurePtr> logged_;
  TrainingResult result_;
  double best_ = 0;
  std::int64_t starts_ = 0;  // so far
  // The highest point on the training data, where kicks start.
  std::vector<double> highest_;
  double height_ = 0;
  bool interrupted_ = false;
};

std::unique_ptr<SearchSpace> DirectRanker::make_space() {
  std::int64_t documents = static_cast<std::int64_t>(problem_.train.documents());
  context_.comm.all_reduce_sum(std::span(&documents, 1));
  const bool follows_loss = options_.directions == "gradient" || options_.directions == "mixed";
  const auto loss = follows_loss ? parse_loss(options_.direction_loss) : nullptr;
  return std::make_unique<SearchSpace>(problem_.train, objective_, problem_.convention, loss.get(),
                                       search_options(options_, documents), context_);
}

void DirectRanker::advance(Racer& racer, std::int64_t round) {
  const auto interrupted = [&] { return deadline_.reached(quiet_).has_value(); };
  const Climb::Outcome outcome = racer.climb->round(interrupted, quiet_);
  if (problem_.valid) {
    const auto scores = score(racer.climb->model(), *problem_.valid, context_.pool);
    racer.valid =
        Evaluator(logged_, problem_.convention).evaluate(*problem_.valid, scores, quiet_).values;
    racer.best.improves(round, racer.valid[0]);
  }
  if (outcome == Climb::Outcome::interrupted)
    racer.why = Termination::stopped;
  else if (outcome == Climb::Outcome::converged)
    racer.why = Termination::converged;
  else if (racer.best.should_stop())
    racer.why = Termination::early_stopping;
  else if (round == options_.max_rounds)
    racer.why = Termination::iteration_limit;
}

// A thread a climb while there are enough of them; else all threads for one after another.
void DirectRanker::advance_all(std::span<Racer* const> active, std::int64_t round) {
  const auto advance_one = [&](std::size_t k) { advance(*active[k], round); };
  const bool side_by_side = context_.comm.size() == 1 &&
                            active.size() >= static_cast<std::size_t>(context_.pool.threads());
  if (side_by_side)
    context_.pool.run(active.size(), advance_one);
  else
    for (std::size_t k = 0; k < active.size(); ++k) advance_one(k);
}

void DirectRanker::keep_if_best(const Racer& racer, std::int64_t round) {
  Iteration step{static_cast<std::int64_t>(result_.log.size() + 1),
                 0,
                 {{"start", static_cast<double>(racer.start)},
                  {"round", static_cast<double>(round)},
                  {"train " + objective_->name(), racer.climb->value()}}};
  for (std::size_t m = 0; m < racer.valid.size(); ++m)
    step.values.emplace_back("valid " + logged_[m]->name(), racer.valid[m]);
  const double value = problem_.valid ? racer.valid[0] : racer.climb->value();
  if (result_.log.empty() || value > best_) {
    best_ = value;
    result_.model = racer.climb->model();
    result_.best_iteration = step.number;
    result_.chosen = {{"start", static_cast<double>(racer.start)},
                      {"round", static_cast<double>(round)}};
  }
  context_.observer.iteration(step);
  result_.log.push_back(std::move(step));
}

DirectRanker::Racer DirectRanker::racer(const SearchSpace& space, std::vector<double> weights) {
  return {std::make_unique<Climb>(space, std::move(weights), context_), ++starts_,
          EarlyStopping(options_.early_stopping)};
}

// All the way up, side by side.
void DirectRanker::race(std::vector<Racer> racers) {
  for (std::int64_t round = 1; round <= options_.max_rounds; ++round) {
    std::vector<Racer*> active;
    for (Racer& racer : racers)
      if (!racer.why) active.push_back(&racer);
    if (active.empty()) break;
    advance_all(active, round);
    for (const Racer* racer : active) keep_if_best(*racer, round);
  }
  for (const Racer& racer : racers) {
    if (highest_.empty() || racer.climb->value() > height_) {
      highest_.assign(racer.climb->weights().begin(), racer.climb->weights().end());
      height_ = racer.climb->value();
    }
    interrupted_ = interrupted_ || racer.why == Termination::stopped;
    if (result_.why == Termination::converged) result_.why = *racer.why;
  }
}

void DirectRanker::race_from_kicks(const SearchSpace& space) {
  if (space.columns().moving().empty()) return;
  for (std::int64_t done = 0; done < options_.kicks && !interrupted_;) {
    std::vector<Racer> racers;
    const std::int64_t until = std::min(done + kKicksAtOnce, options_.kicks);
    while (done < until)
      racers.push_back(racer(space, kick(highest_, space.columns(), context_.seed, ++done)));
    race(std::move(racers));
  }
}

TrainingResult DirectRanker::run() {
  logged_ = {problem_.measure};
  logged_.insert(logged_.end(), problem_.also_log.begin(), problem_.also_log.end());
  result_.skipped_queries = count_skipped(problem_.train, *objective_, context_);
  const auto space = make_space();
  if (space->columns().moving().empty())
    context_.observer.note("no feature tells the documents of a query apart: all weights are 0");
  const TrainingProblem towards{problem_.train,      nullptr, objective_,
                                problem_.convention, {},      problem_.start};
  std::vector<Racer> racers;
  for (auto& weights :
       find_starts(towards, {options_.restarts, options_.starts}, space->columns(), context_))
    racers.push_back(racer(*space, std::move(weights)));
  if (racers.empty())
    throw Error(ErrorCode::usage, "nowhere to start from: give --restarts or --starts");
  context_.observer.phase("climbing");
  race(std::move(racers));
  race_from_kicks(*space);
  if (interrupted_) result_.why = deadline_.reached(context_).value_or(Termination::stopped);
  return std::move(result_);
}

class DirectRank final : public Learner {
 public:
  explicit DirectRank(DirectRankOptions options) : options_(std::move(options)) {}
  bool takes_start() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    if (problem.train.features() == 0)
      throw Error(ErrorCode::data, "the training data has no features");
    if (!problem.start.train_offset.empty() || problem.start.offset_feature)
      throw Error(ErrorCode::usage,
                  "directrank starts from linear models only: its weights have "
                  "no scale that scores could be added to");
    return DirectRanker(problem, options_, context).run();
  }

 private:
  DirectRankOptions options_;
};

}  // namespace

const Entry<Learner> kDirectRank = {"directrank",
                                    "climbs any measure itself, by exact line searches", "Tan13",
                                    []() -> const std::vector<Field>& { return table().fields(); },
                                    [](const Settings& settings) -> std::unique_ptr<const Learner> {
                                      return std::make_unique<DirectRank>(table().read(settings));
                                    }};

}  // namespace podium
