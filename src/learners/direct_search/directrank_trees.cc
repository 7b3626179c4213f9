// DirectRank with trees [Tan13] sections 2.4 and 4: boosting in which the weight of each new tree
// is found by exact line search on the measure, within a range (stage-wise); or all trees are grown
// first, and their weights are searched repeatedly afterwards (leveraging). The tree is that of
// MART, or of any other loss.
//
// Differs from [Tan13]: with few queries, trees are weighted on queries that they were not grown
// on, and shrunk first (directrank_trees_options.h); and the weight is the best in the range, not
// the best of all weights clipped to the range, unless ‹outside clip› requests that.
#include <limits>

#include <fmt/format.h>

#include "core/counted.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/checkpoint/phase_checkpoints.h"
#include "learners/deadline.h"
#include "learners/direct_search/directrank_trees_options.h"
#include "learners/direct_search/leverage.h"
#include "learners/direct_search/tree_weights.h"
#include "learners/loss_learner.h"
#include "losses/pointwise/squared.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int64_t kGrowing = 1, kWeighing = 2;  // phases

TreeWeights::Rule rule_of(const DirectTreesOptions& options, const TreePlan& plan) {
  using Rule = TreeWeights::Rule;
  return {{options.min_weight, options.max_weight, options.outside},
          options.weigh,
          plan.weigh_on == TreePlan::WeighOn::all ? Rule::Queries::all : Rule::Queries::held_out};
}

class DirectRankTrees final : public LossLearner<DirectRankTrees> {
 public:
  explicit DirectRankTrees(DirectTreesOptions options)
      : LossLearner(squared_loss({options.targets})), options_(std::move(options)) {
    plan_trees(options_, 0);  // reports errors before the data is read
    if (levers() && (options_.weigh != TreeWeights::Rule::Of::tree ||
                     options_.outside != WeightRange::Outside::search))
      throw Error(ErrorCode::usage,
                  "‹weigh› and ‹outside› belong to ‹strategy stagewise›: leveraging searches one "
                  "weight per tree, without a range");
  }

  bool takes_any_loss() const override { return true; }
  bool takes_start() const override { return true; }
  bool takes_categories() const override { return !options_.oblivious; }
  bool uses_device() const override { return true; }
  bool takes_missing_values() const override { return true; }
  SharedLoss pointwise_loss() const override { return squared_loss({options_.targets}); }

  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const auto loss = minimised().bind(problem.train, context.comm);
    if (loss->link().outputs() != 1)
      throw Error(
          ErrorCode::usage,
          fmt::format(
              "the loss {} has several outputs per document; tree weights need a loss with one",
              minimised().name()));
    Deadline deadline(options_.max_seconds);
    const MeasurePtr objective = objective_measure(options_.objective, problem);
    const TreePlan plan = settle(problem, context);
    const ExactLineSearch search(problem.train, objective, problem.convention, context);
    PhaseCheckpoints growing(kGrowing, context), weighing(kWeighing, context);
    Context to_grow = growing.context(context), to_weigh = weighing.context(context);
    TrainingResult result;
    if (growing.found_phase() != kWeighing)
      result = train_by_boosting(problem, minimised(), plan.boosting, to_grow,
                                 weigher(problem, objective, search, plan, context));
    const bool ended =
        result.termination == Termination::stopped || result.termination == Termination::time_limit;
    if (passes() > 0 && !ended)
      leverage(result, problem, search, {.objective = objective, .passes = passes()}, deadline,
               to_weigh);
    std::size_t skipped = 0;
    for (std::size_t q = 0; q < problem.train.queries(); ++q) skipped += !loss->informative(q);
    result.skipped_queries = count_over_ranks(skipped, context.comm);
    if (options_.rate == "auto")
      result.chosen.emplace_back("learning-rate", plan.boosting.learning_rate);
    if (options_.fraction == "auto")
      result.chosen.emplace_back("query-fraction", plan.boosting.query_fraction);
    return result;
  }
  MemoryNeed memory_need(const Dataset& train) const override { return memory_of_boosting(train); }

 private:
  bool levers() const { return options_.strategy == DirectTreesOptions::Strategy::leverage; }
  std::int64_t passes() const {
    return levers() && options_.leverage == 0 ? std::numeric_limits<std::int64_t>::max()
                                              : options_.leverage;
  }

  TreePlan settle(const TrainingProblem& problem, Context& context) const {
    const std::size_t queries = count_over_ranks(problem.train.queries(), context.comm);
    TreePlan plan = plan_trees(options_, queries);
    if (!plan.settled.empty())
      context.observer.note(fmt::format(
          "{}, {}:{}", counted(queries, "training query"),
          counted(static_cast<std::uint64_t>(options_.leaves), "leaf", "leaves"), plan.settled));
    return plan;
  }

  TreeWeigher weigher(const TrainingProblem& problem, const MeasurePtr& objective,
                      const ExactLineSearch& search, const TreePlan& plan, Context& context) const {
    if (levers()) return {};
    return [weights = TreeWeights(problem.train, objective, problem.convention, search,
                                  rule_of(options_, plan), context)](std::span<const double> scores,
                                                                     const NewTree& tree) {
      const std::vector<double> found = weights.find(scores, tree);
      for (std::size_t leaf = 0; leaf < found.size(); ++leaf) tree.values[leaf] *= found[leaf];
    };
  }

  DirectTreesOptions options_;
};

}  // namespace

const Entry<Learner> kDirectRankTrees = {
    "directrank-trees", "boosted trees with exact line searches for any measure", "Tan13",
    []() -> const std::vector<Field>& { return directrank_trees_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<DirectRankTrees>(directrank_trees_table().read(settings));
    }};

}  // namespace podium
