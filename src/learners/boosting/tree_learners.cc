// The tree learners of the papers: each is a row that names a loss; all share one booster.
//   mart          squared error [Friedman01]
//   lambdamart    logistic pairs × |Δmeasure| [Burges10]
//   mcrank        multi-class or ordinal logistic loss, ranked by the expected grade [Li07]
//   gbrank        squared hinge over pairs, with a tie term [Zheng07]
//   isotonic      distance to the nearest scores in the right order [Moon10] (5)
//   intervalrank  the same with soft intervals and margins [Moon10] Theorem 5
//   boosting      any loss
#include <type_traits>

#include <fmt/format.h>

#include "core/spec.h"
#include "learners/boosting/boosting.h"
#include "learners/boosting/options_by_size.h"
#include "learners/catalog.h"
#include "learners/lambda_options.h"
#include "learners/loss_learner.h"
#include "losses/catalog.h"
#include "losses/listwise/interval.h"
#include "losses/pairwise/pairwise_grades.h"
#include "losses/pointwise/squared.h"

namespace podium {
namespace {

enum class GradeModel { ordinal, multiclass };

struct TreeLearnerOptions : BoostingOptions, LambdaRowOptions {
  std::string targets = SquaredOptions{}.targets;
  GradeModel variant = GradeModel::ordinal;
  double margin = GbrankOptions{}.margin;
  double grade_margin = GbrankOptions{}.grade_margin;
  double tie = GbrankOptions{}.tie;
  double lambda1 = IntervalOptions{}.lambda1;
  double lambda2 = IntervalOptions{}.lambda2;
  double barrier = IntervalOptions{}.barrier;
};

using TreeTable = OptionTable<TreeLearnerOptions>;
TreeTable shared_tree_options() {
  return boosting_table<TreeLearnerOptions>();
}
TreeTable with_targets(TreeTable table) {
  return table.add("targets", &TreeLearnerOptions::targets,
                   "target of each grade g: linear (g), exp2 (2^g - 1), or a list such as 0/1/3/7");
}

struct Boosting {
  static TreeTable table() { return shared_tree_options(); }
  static SharedLoss loss(const TreeLearnerOptions&) {
    return kLambdaNdcg.make(Settings(kLambdaNdcg.options(), {}));
  }
};
struct Mart {
  static TreeTable table() { return with_targets(shared_tree_options()); }
  static SharedLoss loss(const TreeLearnerOptions& o) { return squared_loss({o.targets}); }
};
struct LambdaMart {
  static TreeTable table() {
    TreeTable table = shared_tree_options();
    return add_lambda_options(table);
  }
  static SharedLoss loss(const TreeLearnerOptions& o) { return lambda_rule(o); }
};
struct McRank {
  static TreeTable table() {
    return shared_tree_options().add(
        "variant", &TreeLearnerOptions::variant,
        "ordinal: one cumulative logistic model per grade; multiclass: softmax",
        {{"ordinal", GradeModel::ordinal}, {"multiclass", GradeModel::multiclass}});
  }
  static SharedLoss loss(const TreeLearnerOptions& o) {
    return (o.variant == GradeModel::ordinal ? kOrdinal : kMultinomial).make({});
  }
};
struct GbRank {
  static TreeTable table() {
    return shared_tree_options()
        .add("margin", &TreeLearnerOptions::margin,
             "margin by which the better document should lead", at_least(0))
        .add("grade-margin", &TreeLearnerOptions::grade_margin,
             "additional margin per grade of difference", at_least(0))
        .add("tie", &TreeLearnerOptions::tie,
             "weight of squared score differences between documents of equal grade", at_least(0))
        .search("grade-margin", by_factors(0.1, 3));
  }
  static SharedLoss loss(const TreeLearnerOptions& o) {
    return gbrank_loss({.margin = o.margin, .grade_margin = o.grade_margin, .tie = o.tie});
  }
};
struct Isotonic {
  static TreeTable table() { return with_targets(shared_tree_options()); }
  static SharedLoss loss(const TreeLearnerOptions& o) { return isotonic_loss({o.targets}); }
};
struct IntervalRank {
  static TreeTable table() {
    return with_targets(shared_tree_options())
        .add("lambda1", &TreeLearnerOptions::lambda1, "penalty on violated margins", above(0))
        .add("lambda2", &TreeLearnerOptions::lambda2, "penalty on interval widths", at_least(0))
        .add("barrier", &TreeLearnerOptions::barrier,
             "0: exact intervals; 1e-6 to 1e9: a logarithmic barrier with this mu (the paper stops "
             "at 64)",
             at_least(0))
        .search("lambda1", by_factors(10, 1e5))
        .search("lambda2", by_factors(1, 1e4));
  }
  static SharedLoss loss(const TreeLearnerOptions& o) {
    return interval_loss({o.lambda1, o.lambda2, o.targets, o.barrier});
  }
};

template <class Row>
class TreeLearner final : public LossLearner<TreeLearner<Row>> {
 public:
  static const TreeTable& table() {
    static const TreeTable table = Row::table();
    return table;
  }
  explicit TreeLearner(TreeLearnerOptions options)
      : LossLearner<TreeLearner>(Row::loss(options)), options_(std::move(options)) {
    check_leaves(options_);
  }

  bool takes_any_loss() const override { return std::is_same_v<Row, Boosting>; }
  bool takes_start() const override { return true; }
  bool advances_losses() const override { return true; }
  bool takes_missing_values() const override { return true; }
  bool needs_rows_in_order() const override { return false; }
  bool takes_categories() const override { return !options_.oblivious; }
  bool uses_device() const override { return true; }
  SharedLoss pointwise_loss() const override { return squared_loss({options_.targets}); }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    return train_by_boosting(problem, this->minimised(), options_, context);
  }
  MemoryNeed memory_need(const Dataset& train) const override { return memory_of_boosting(train); }

 private:
  TreeLearnerOptions options_;
};

}  // namespace

const Entry<Learner> kBoostingLearner =
    learner_row<TreeLearner<Boosting>>("boosting", "boosted trees for any loss", "Friedman01");
const Entry<Learner> kMartLearner =
    learner_row<TreeLearner<Mart>>("mart", "boosted regression trees", "Friedman01");
const Entry<Learner> kLambdaMartLearner = learner_row<TreeLearner<LambdaMart>>(
    "lambdamart", "boosted trees trained on λ-gradients of a measure", "Burges10");
const Entry<Learner> kMcRankLearner = learner_row<TreeLearner<McRank>>(
    "mcrank", "boosted trees that estimate each grade's probability", "Li07");
const Entry<Learner> kGbRankLearner = learner_row<TreeLearner<GbRank>>(
    "gbrank", "boosted trees with a squared hinge over pairs", "Zheng07");
const Entry<Learner> kIsotonicLearner = learner_row<TreeLearner<Isotonic>>(
    "isotonic", "boosted trees fitted to the nearest correctly ordered scores", "Moon10");
const Entry<Learner> kIntervalRankLearner = learner_row<TreeLearner<IntervalRank>>(
    "intervalrank", "boosted trees fitted to one score interval per grade", "Moon10");

}  // namespace podium
