// The structural SVMs of [Chakrabarti08] and [Yue07], RankSVM [Joachims02], and [Yue07]'s
// classification SVMs: each is a row that names a loss; all share one cutting-plane trainer.
#include <algorithm>

#include <fmt/format.h>

#include "core/spec.h"
#include "learners/catalog.h"
#include "learners/loss_learner.h"
#include "learners/structural/cutting_plane_training.h"
#include "losses/catalog.h"
#include "losses/combination.h"
#include "losses/pairwise/pairwise_hinge.h"
#include "losses/pointwise/classification_hinge.h"
#include "losses/structured/structured_hinge.h"
#include "measures/choices.h"
#include "oracles/options.h"
#include "podium/error.h"

namespace podium {
namespace {

enum class Slack { separate, shared };
enum class AccVariant { acc, acc2, acc3, acc4, plain, balanced, percentile, minmax };
enum class Balance { automatic, yes, no };

struct SvmOptions {
  std::string c = CuttingPlaneTraining{}.c;
  double epsilon = CuttingPlaneTraining{}.epsilon;
  double max_seconds = CuttingPlaneTraining{}.max_seconds;
  std::int64_t max_passes = CuttingPlaneTraining{}.max_passes;
  double relevant_from = StructuredOptions{}.relevant_from;
  std::int64_t k = kUsualRanks;
  RankDiscount discount = NdcgOracleOptions{}.discount;
  PairScale pairs = PairwiseHingeOptions{}.pairs;
  FeatureMap map = ReciprocalRankOracleOptions{}.map;
  // [Chakrabarti08] section 3.7 has one feature map for all losses; φ_mrr forces w = 0.
  std::string losses = "structured-map,structured-ndcg-nc,structured-mrr(map=po)";
  DeltaBound bound = StructuredOptions{}.bound;
  Slack slack = Slack::separate;
  RankDecay decay = DormOracleOptions{}.decay;
  std::int64_t cut = DormOracleOptions{}.cut;
  RankingOracle::Labels labels = DormOracleOptions{}.labels;
  GradeGain gain = DormOracleOptions{}.gain;
  AccVariant variant = AccVariant::acc;
  Balance balance = Balance::automatic;
};

using SvmTable = OptionTable<SvmOptions>;

// The options that all rows share.
SvmTable shared_svm_options() {
  return SvmTable()
      .add(
          "C", &SvmOptions::c,
          "weight of the loss relative to ½‖w‖²: a number, a list to choose from on the validation "
          "data, or auto (powers of ten from 0.01 to 10000 with validation data, else 1)")
      .add("epsilon", &SvmOptions::epsilon, "relative duality gap to reach",
           Range{0, 0.5, Range::Low::open})
      .add("max-seconds", &SvmOptions::max_seconds, "stop each C after this many seconds; 0: never",
           at_least(0))
      .add("max-passes", &SvmOptions::max_passes, "stop each C after this many passes",
           at_least(1));
}
SvmTable binary() {
  return shared_svm_options().add("relevant-from", &SvmOptions::relevant_from,
                                  "lowest grade that counts as relevant");
}
// Adds the options of losses that are a bound of an oracle.
SvmTable structured() {
  return binary().add(
      "bound", &SvmOptions::bound,
      "upper bound on 1 − measure: hinge: convex, with a certificate; ramp: tighter, by "
      "concave-convex steps from the optimum of the hinge, useful where that is w = 0",
      delta_bounds());
}
SharedLoss svm_loss(const Entry<Loss>& row, const SvmOptions& o, const Settings& oracle = {}) {
  return structured_loss(row, oracle, {o.relevant_from, o.bound});
}
SvmTable& with_k(SvmTable& table) {
  return table.add("k", &SvmOptions::k, "only the first k ranks count; 0: all", at_least(0));
}
SvmTable& with_discount(SvmTable& table) {
  return table.add("discount", &SvmOptions::discount, "rank discount", discount_choices());
}

// One row: its table of options, and the loss made from them.
struct RankSvm {
  static SvmTable table() {
    return shared_svm_options().add("pairs", &SvmOptions::pairs, kPairScaleHelp,
                                    pair_scale_choices());
  }
  static SharedLoss loss(const SvmOptions& o) { return pairwise_hinge_loss({o.pairs}); }
};
struct SvmAuc {
  static SvmTable table() { return structured(); }
  static SharedLoss loss(const SvmOptions& o) { return svm_loss(kStructuredAuc, o); }
};
struct SvmMap {
  static SvmTable table() { return structured(); }
  static SharedLoss loss(const SvmOptions& o) { return svm_loss(kStructuredMap, o); }
};
struct SvmNdcg {
  static SvmTable table() {
    SvmTable table = structured();
    return with_discount(with_k(table));
  }
  static SharedLoss loss(const SvmOptions& o) {
    return svm_loss(kStructuredNdcg, o, ndcg_oracle_table().settings({o.k, o.discount}));
  }
  static std::string advice(const SvmOptions&) { return "‹k 0› or ‹bound ramp›"; }
};
struct SvmNdcgNc {
  static SvmTable table() {
    SvmTable table = structured();
    return with_discount(table);
  }
  static SharedLoss loss(const SvmOptions& o) {
    return svm_loss(kStructuredNdcgNc, o, ndcg_nc_oracle_table().settings({o.discount}));
  }
};
struct SvmMrr {
  static SvmTable table() {
    SvmTable table = structured();
    return with_k(table).add(
        "map", &SvmOptions::map,
        "feature map: mrr counts non-relevant documents above the first relevant one, po all pairs",
        feature_maps());
  }
  static SharedLoss loss(const SvmOptions& o) {
    return svm_loss(kStructuredMrr, o, reciprocal_rank_oracle_table().settings({o.k, o.map}));
  }
  static std::string advice(const SvmOptions& o) {
    return o.map == FeatureMap::topmost_good ? "‹map po›, ‹k 0› with it, or ‹bound ramp›"
                                             : "‹k 0› or ‹bound ramp›";
  }
};
struct SvmCombo {
  static SvmTable table() {
    return shared_svm_options()
        .add("losses", &SvmOptions::losses,
             "the losses to combine, e.g. structured-map,0.5*structured-auc")
        .add("slack", &SvmOptions::slack,
             "separate: the sum of the losses; shared: the largest for each query",
             {{"separate", Slack::separate}, {"shared", Slack::shared}});
  }
  static SharedLoss loss(const SvmOptions& o) {
    if (trim(o.losses).empty())
      throw Error(ErrorCode::usage, "‹losses› is empty: name the losses to combine");
    const auto parts = split_outside_parentheses(o.losses, ',');
    if (o.slack == Slack::shared) {
      std::vector<SharedLoss> shared;
      for (const std::string_view part : parts) shared.push_back(parse_loss(part));
      return maximum_of_losses(std::move(shared));
    }
    std::vector<WeightedLoss> sum;
    for (const std::string_view part : parts)
      for (WeightedLoss& term : parse_weighted_losses(part)) sum.push_back(std::move(term));
    return sum_of_losses(std::move(sum));
  }
};
struct Dorm {
  static SvmTable table() {
    SvmTable table = structured();
    with_discount(table)
        .add("k", &SvmOptions::k, "nDCG's cut-off; 0: none", at_least(0))
        .add("decay", &SvmOptions::decay, "A(r): 1/sqrt(1+r), 1/log2(2+r), 1/(1+r), or 1 − r/cut",
             rank_decays())
        .add("cut", &SvmOptions::cut, "the decay A is 0 from this rank on; 0: never", at_least(0))
        .add("labels", &SvmOptions::labels, "all grades, or relevant and non-relevant only",
             oracle_labels())
        .add("gain", &SvmOptions::gain, "gain function of nDCG", gain_choices());
    return table;
  }
  static SharedLoss loss(const SvmOptions& o) {
    return svm_loss(
        kDormLoss, o,
        dorm_oracle_table().settings({o.k, o.discount, o.decay, o.cut, o.labels, o.gain}));
  }
};
// The four classification SVMs of [Yue07]: the preparation of features, and whether good documents
// have a larger weight, are separate options, so that they can be combined.
struct SvmAcc {
  static SvmTable table() {
    return binary()
        .add("variant", &SvmOptions::variant,
             "acc: data unchanged; acc2: balanced; acc3: features as percentiles within the query, "
             "acc4: features scaled to 0 … 1 within the query, both cut at 50 evenly spaced "
             "thresholds; plain, balanced, percentile and minmax are older names of the four",
             {{"acc", AccVariant::acc},
              {"acc2", AccVariant::acc2},
              {"acc3", AccVariant::acc3},
              {"acc4", AccVariant::acc4},
              {"plain", AccVariant::plain},
              {"balanced", AccVariant::balanced},
              {"percentile", AccVariant::percentile},
              {"minmax", AccVariant::minmax}})
        .add("balance", &SvmOptions::balance,
             "weight relevant documents by #non-relevant / #relevant of the training data; auto: "
             "for acc2 only",
             {{"auto", Balance::automatic}, {"yes", Balance::yes}, {"no", Balance::no}});
  }
  static SharedLoss loss(const SvmOptions& o) {
    const bool balanced =
        o.balance == Balance::automatic ? number(o) == 2 : o.balance == Balance::yes;
    return classification_hinge_loss({balanced, o.relevant_from});
  }
  static TransformOptions preparation(const SvmOptions& o) {
    TransformOptions steps;
    if (number(o) < 3) return steps;
    steps.normalize =
        number(o) == 3 ? Normalization::query_percentile : Normalization::query_minmax;
    steps.bins = 50;
    steps.bin_rule = BinRule::even;
    return steps;
  }

 private:
  // The number 1 to 4, from either option.
  static int number(const SvmOptions& o) {
    switch (o.variant) {
      case AccVariant::acc:
      case AccVariant::plain:
        return 1;
      case AccVariant::acc2:
      case AccVariant::balanced:
        return 2;
      case AccVariant::acc3:
      case AccVariant::percentile:
        return 3;
      case AccVariant::acc4:
      case AccVariant::minmax:
        return 4;
    }
    return 1;
  }
};

template <class Row>
class StructuralSvm final : public LossLearner<StructuralSvm<Row>> {
 public:
  static const SvmTable& table() {
    static const SvmTable table = Row::table();
    return table;
  }
  explicit StructuralSvm(SvmOptions options)
      : LossLearner<StructuralSvm>(Row::loss(options)), options_(std::move(options)) {}

  TransformOptions preparation() const override {
    if constexpr (std::is_same_v<Row, SvmAcc>) return SvmAcc::preparation(options_);
    return {};
  }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    return train_by_cutting_planes(
        problem, this->minimised(),
        {options_.c, options_.epsilon, options_.max_seconds, options_.max_passes, advice()},
        context);
  }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_cutting_planes(train);
  }

 private:
  // What to try if the optimum is w = 0.
  std::string advice() const {
    if constexpr (requires { Row::advice(options_); }) return Row::advice(options_);
    const auto& fields = table().fields();
    const bool has_bound = std::any_of(fields.begin(), fields.end(),
                                       [](const Field& field) { return field.name == "bound"; });
    return has_bound ? "‹bound ramp›" : "";
  }

  SvmOptions options_;
};

}  // namespace

const Entry<Learner> kRankSvm =
    learner_row<StructuralSvm<RankSvm>>("ranksvm", "hinge loss over pairs (SVM)", "Joachims02");
const Entry<Learner> kSvmAuc =
    learner_row<StructuralSvm<SvmAuc>>("svm-auc", "maximum margin for AUC", "Chakrabarti08");
const Entry<Learner> kSvmMap =
    learner_row<StructuralSvm<SvmMap>>("svm-map", "maximum margin for average precision", "Yue07");
const Entry<Learner> kSvmNdcg =
    learner_row<StructuralSvm<SvmNdcg>>("svm-ndcg", "maximum margin for nDCG@k", "Chakrabarti08");
const Entry<Learner> kSvmNdcgNc = learner_row<StructuralSvm<SvmNdcgNc>>(
    "svm-ndcg-nc", "maximum margin for nDCG of the whole list", "Chakrabarti08");
const Entry<Learner> kSvmMrr = learner_row<StructuralSvm<SvmMrr>>(
    "svm-mrr", "maximum margin for reciprocal rank", "Chakrabarti08");
const Entry<Learner> kSvmCombo = learner_row<StructuralSvm<SvmCombo>>(
    "svm-combo", "maximum margin for several losses combined", "Chakrabarti08");
const Entry<Learner> kDorm = learner_row<StructuralSvm<Dorm>>(
    "dorm", "maximum margin for nDCG, with ranks weighted by a decay", "Le07");
const Entry<Learner> kSvmAcc = learner_row<StructuralSvm<SvmAcc>>(
    "svm-acc", "SVM that classifies relevant against non-relevant documents", "Yue07");

}  // namespace podium
