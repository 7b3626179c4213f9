// Gradient learners from papers: each is a row that names a loss; all share the trainers of
// parametric/training.h, and all can train a linear model or a perceptron.
//   ranknet     logistic pairs [Burges05b]
//   lambdarank  logistic pairs × |Δmeasure| [Burges06]
//   listnet     cross entropy of softmaxes [Cao07]
//   listmle     Plackett–Luce likelihood [Xia08]
//   rankcosine  cosine of scores and targets [Qin08]
//   mlp         any loss
#include <type_traits>

#include <fmt/format.h>

#include "learners/catalog.h"
#include "learners/lambda_options.h"
#include "learners/loss_learner.h"
#include "learners/parametric/training.h"
#include "losses/catalog.h"
#include "losses/listwise/cosine.h"
#include "losses/listwise/listmle.h"
#include "losses/listwise/softmax.h"
#include "losses/pairwise/pairwise_grades.h"
#include "measures/choices.h"

namespace podium {
namespace {

struct MlpRow {
  struct Options : ParametricOptions {
    Options() { hidden = "32,16"; }
  };
  static void add_to(OptionTable<Options>&) {}
  static SharedLoss loss(const Options&) {
    return kLambdaNdcg.make(Settings(kLambdaNdcg.options(), {}));
  }
};

struct RankNet {
  struct Options : ParametricOptions {
    double sigma = SigmaPairOptions{}.sigma;
  };
  static void add_to(OptionTable<Options>& table) {
    table.add("sigma", &Options::sigma, "steepness of the logistic function", above(0));
  }
  static SharedLoss loss(const Options& o) { return logistic_pairs_loss({.sigma = o.sigma}); }
};

// The λ-gradients of the paper: every pair, and only |Δmeasure| times the slope of the logistic
// function. The learning rate was chosen on the validation parts of OHSUMED, MQ2008 and MQ2007:
// with 0.003 there are too few epochs for OHSUMED's 63 queries.
struct LambdaRank {
  struct Options : ParametricOptions, LambdaRowOptions {
    Options() {
      learning_rate = 0.01;
      truncation = 0;
      norm = LambdaNorm::none;
    }
  };
  static void add_to(OptionTable<Options>& table) { add_lambda_options(table); }
  static SharedLoss loss(const Options& o) { return lambda_rule(o); }
};

struct ListNet {
  struct Options : ParametricOptions {
    SoftmaxTarget target = SoftmaxOptions{}.target;
    std::int64_t top = SoftmaxOptions{}.k;
  };
  static void add_to(OptionTable<Options>& table) {
    table
        .add("target", &Options::target,
             "target distribution: labels: the softmax of the grades; gains: gains divided by "
             "their sum",
             softmax_targets())
        .add("top", &Options::top, "compare probabilities of the first this many places (top-k)",
             at_least(1));
  }
  static SharedLoss loss(const Options& o) {
    return softmax_loss({.target = o.target, .k = o.top});
  }
};

struct ListMle {
  struct Options : ParametricOptions {
    GradeTies ties = ListMleOptions{}.ties;
    // Deliberately not the loss's default: `listmle` as a loss is the likelihood of the whole
    // order, like every loss without @k; but a model is chosen by its first ranks.
    std::int64_t top = kUsualRanks;
  };
  static void add_to(OptionTable<Options>& table) {
    table
        .add("ties", &Options::ties,
             "documents of equal grade: average over their orders, or permute them once",
             grade_tie_choices())
        .add("top", &Options::top, "likelihood of this many top places; 0: of all", at_least(0));
  }
  static SharedLoss loss(const Options& o) { return listmle_loss({.ties = o.ties, .k = o.top}); }
};

struct RankCosine {
  struct Options : ParametricOptions {
    std::string targets = CosineOptions{}.targets;
    TargetNorm norm = CosineOptions{}.norm;
  };
  static void add_to(OptionTable<Options>& table) {
    table
        .add("targets", &Options::targets,
             "target of each grade g: linear (g), exp2 (2^g - 1), or a list such as 0/1/3/7")
        .add("norm", &Options::norm,
             "divisor of the targets: their norm, or the ideal DCG, which is consistent for nDCG",
             target_norms());
  }
  static SharedLoss loss(const Options& o) {
    return cosine_loss({.norm = o.norm, .targets = o.targets});
  }
};

template <class Row>
class GradientLearner final : public LossLearner<GradientLearner<Row>> {
 public:
  static const OptionTable<typename Row::Options>& table() {
    static const auto table = [] {
      OptionTable<typename Row::Options> all;
      Row::add_to(all);
      add_network_options(all);
      add_gradient_options(all);
      return search_network_options(all, typename Row::Options{}.hidden.empty()
                                             ? std::vector<std::string>{"", "16", "32,16"}
                                             : std::vector<std::string>{"16", "32,16", "64,32"});
    }();
    return table;
  }
  explicit GradientLearner(typename Row::Options options)
      : LossLearner<GradientLearner>(Row::loss(options)), options_(std::move(options)) {}

  bool takes_any_loss() const override { return std::is_same_v<Row, MlpRow>; }
  bool takes_start() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    return train_by_gradients(problem, this->minimised(), options_, context);
  }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_gradients(options_, train);
  }

 private:
  typename Row::Options options_;
};

}  // namespace

const Entry<Learner> kMlpLearner =
    learner_row<GradientLearner<MlpRow>>("mlp", "a multi-layer perceptron for any loss", "");
const Entry<Learner> kRankNetLearner =
    learner_row<GradientLearner<RankNet>>("ranknet", "logistic loss over pairs", "Burges05b");
const Entry<Learner> kLambdaRankLearner = learner_row<GradientLearner<LambdaRank>>(
    "lambdarank", "logistic loss over pairs, weighted by the change of a measure", "Burges06");
const Entry<Learner> kListNetLearner = learner_row<GradientLearner<ListNet>>(
    "listnet", "cross-entropy of top-one probabilities", "Cao07");
const Entry<Learner> kListMleLearner = learner_row<GradientLearner<ListMle>>(
    "listmle", "likelihood of the order by grade (Plackett-Luce)", "Xia08");
const Entry<Learner> kRankCosineLearner = learner_row<GradientLearner<RankCosine>>(
    "rankcosine", "cosine similarity of scores and grades", "Qin08");

}  // namespace podium
