// DirectRank with trees [Tan13] section 2.4: boosting, where each new tree's weight is searched
// exactly on the measure, within a range. The tree is MART's, or any other loss's.
//
// Differs from [Tan13]: the weight is the best of the range, not the best of all weights brought
// back to the range's border. A tree is weighed on queries that it was not grown on: on its own it
// looks the better the more of it is taken, and nearly every weight ends at the range's upper end.
// And trees are shrunk by a learning rate first: the paper's range is for 2 million documents.
#include <limits>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "learners/boosting/boosting.h"
#include "learners/catalog.h"
#include "learners/deadline.h"
#include "learners/direct_search/leverage.h"
#include "learners/phase_checkpoints.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int64_t kGrowing = 1, kWeighing = 2;  // phases

struct DirectTreesOptions : BoostingOptions {
  DirectTreesOptions() {
    learning_rate = 0.3;
    query_fraction = 0.5;
  }
  std::string objective = "auto";
  double min_weight = 0.1;
  double max_weight = 0.5;
  std::string weigh_on = "held-out";
  std::int64_t leverage = 0;
  std::string targets = "linear";
};

const OptionTable<DirectTreesOptions>& table() {
  using Options = DirectTreesOptions;
  static const auto options = [] {
    auto all = boosting_table<Options>();
    return all
        .add("objective", &Options::objective,
             "the measure that trees are weighed for, e.g. nDCG@5; auto: the one of --measure")
        .add("min-weight", &Options::min_weight, "least weight of a tree", at_least(0))
        .add("max-weight", &Options::max_weight, "most weight of a tree", above(0))
        .add("weigh-on", &Options::weigh_on,
             "held-out: the queries outside --query-fraction, if there are any; all",
             {"held-out", "all"})
        .add("leverage", &Options::leverage,
             "passes in which all trees' weights are searched again in the end", at_least(0))
        .add("targets", &Options::targets,
             "what each grade g aims at: linear (g), exp2 (2^g - 1), or a list 0/1/3/7")
        .search("learning-rate", {})  // the line search weighs the trees
        .search("max-weight", by_factors(0.2, 2));
  }();
  return options;
}

class DirectRankTrees final : public Learner {
 public:
  explicit DirectRankTrees(DirectTreesOptions options) : options_(std::move(options)) {
    if (!(options_.min_weight < options_.max_weight))
      throw Error(ErrorCode::usage, fmt::format("--min-weight {} is not below --max-weight {}",
                                                options_.min_weight, options_.max_weight));
  }

  std::string default_loss() const override {
    return fmt::format("squared(targets={})", options_.targets);
  }
  bool takes_any_loss() const override { return true; }
  bool takes_start() const override { return true; }
  std::string pointwise_loss() const override { return default_loss(); }

  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const auto loss = problem.loss->bind(problem.train, context.comm);
    if (loss->link().outputs() != 1)
      throw Error(ErrorCode::usage,
                  fmt::format("the loss {} has several outputs a document; a tree is weighed for "
                              "losses with one",
                              problem.loss->name()));
    Deadline deadline(options_.max_seconds);
    const MeasurePtr objective = options_.objective == "auto"
                                     ? problem.measure
                                     : parse_measure(options_.objective, problem.convention);
    const ExactLineSearch search(problem.train, objective, problem.convention, context);
    const bool held_out = options_.weigh_on == "held-out" && options_.query_fraction < 1;
    const auto weigh = [&](std::span<const double> scores, std::span<const double> tree,
                           std::span<const std::uint32_t> grown_on) {
      std::vector<double> direction(tree.begin(), tree.end());
      if (held_out)
        for (const std::uint32_t i : grown_on) direction[i] = 0;  // these queries stand still
      return search
          .search({.base = scores,
                   .direction = direction,
                   .low = options_.min_weight,
                   .high = options_.max_weight,
                   .current = std::numeric_limits<double>::quiet_NaN()},
                  context)
          .middle;
    };
    PhaseCheckpoints growing(kGrowing, context), weighing(kWeighing, context);
    Context to_grow = growing.context(context), to_weigh = weighing.context(context);
    TrainingResult result;
    if (growing.found_phase() != kWeighing)
      result = train_by_boosting(problem, options_, to_grow, weigh);
    const bool ended = result.why == Termination::stopped || result.why == Termination::time_limit;
    if (options_.leverage > 0 && !ended)
      leverage(result, problem, search, {.objective = objective, .passes = options_.leverage},
               deadline, to_weigh);
    std::size_t skipped = 0;
    for (std::size_t q = 0; q < problem.train.queries(); ++q) skipped += !loss->informative(q);
    result.skipped_queries = count_over_ranks(skipped, context.comm);
    return result;
  }

 private:
  DirectTreesOptions options_;
};

}  // namespace

const Entry<Learner> kDirectRankTrees = {
    "directrank-trees", "boosted trees, each weighed exactly for any measure", "Tan13",
    []() -> const std::vector<Field>& { return table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<DirectRankTrees>(table().read(settings));
    }};

}  // namespace podium
