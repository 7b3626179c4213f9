// The structural SVMs of [Chakrabarti08] and [Yue07], RankSVM [Joachims02], and [Yue07]'s
// classification SVMs: each is a row that names a loss; all share one cutting-plane trainer.
#include <algorithm>

#include <fmt/format.h>

#include "core/spec.h"
#include "learners/catalog.h"
#include "learners/loss_learner.h"
#include "learners/structural/cutting_plane_training.h"
#include "losses/catalog.h"
#include "losses/pairwise/pairwise_hinge.h"
#include "losses/pointwise/classification_hinge.h"
#include "podium/error.h"

namespace podium {
namespace {

struct SvmOptions {
  std::string c = CuttingPlaneTraining{}.c;
  double epsilon = CuttingPlaneTraining{}.epsilon;
  double max_seconds = CuttingPlaneTraining{}.max_seconds;
  std::int64_t max_passes = CuttingPlaneTraining{}.max_passes;
  double relevant_from = 1;
  std::int64_t k = 10;
  std::string discount = "log2";
  std::string pairs = "average";
  std::string map = "mrr";
  // [Chakrabarti08] section 3.7 has one feature map for all losses; φ_mrr forces w = 0.
  std::string losses = "structured-map,structured-ndcg-nc,structured-mrr(map=po)";
  std::string bound = "hinge";
  std::string slack = "separate";
  std::string decay = "sqrt";
  std::int64_t cut = 30;
  std::string labels = "graded";
  std::string gain = "exp2";
  std::string variant = "acc";
  std::string balance = "auto";
};

using SvmTable = OptionTable<SvmOptions>;

// What all rows share; the rows add their own.
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
// For the losses that are an oracle's bound.
SvmTable structured() {
  return binary().add(
      "bound", &SvmOptions::bound,
      "upper bound on 1 − measure: hinge: convex, with a certificate; ramp: tighter, by "
      "concave-convex steps from the optimum of the hinge, useful where that is w = 0",
      {"hinge", "ramp"});
}
// A structured loss with what all of them have, and its oracle's options.
SharedLoss structured_loss(const Entry<Loss>& row, const SvmOptions& o,
                           std::vector<std::pair<std::string, Value>> its = {}) {
  its.emplace_back("relevant-from", o.relevant_from);
  its.emplace_back("bound", o.bound);
  return row.make(Settings::of(row.options(), its));
}
SvmTable& with_k(SvmTable& table) {
  return table.add("k", &SvmOptions::k, "only the first k ranks count; 0: all", at_least(0));
}
SvmTable& with_discount(SvmTable& table) {
  return table.add("discount", &SvmOptions::discount, "rank discount", {"log2", "letor"});
}

// One row: its table of options, and the loss that they make.
struct RankSvm {
  static SvmTable table() {
    return shared_svm_options().add("pairs", &SvmOptions::pairs,
                                    "average: every query has the same weight; sum: every pair has",
                                    {"average", "sum"});
  }
  static SharedLoss loss(const SvmOptions& o) { return pairwise_hinge_loss({o.pairs}); }
};
struct SvmAuc {
  static SvmTable table() { return structured(); }
  static SharedLoss loss(const SvmOptions& o) { return structured_loss(kStructuredAuc, o); }
};
struct SvmMap {
  static SvmTable table() { return structured(); }
  static SharedLoss loss(const SvmOptions& o) { return structured_loss(kStructuredMap, o); }
};
struct SvmNdcg {
  static SvmTable table() {
    SvmTable table = structured();
    return with_discount(with_k(table));
  }
  static SharedLoss loss(const SvmOptions& o) {
    return structured_loss(kStructuredNdcg, o, {{"discount", o.discount}, {"k", o.k}});
  }
  static std::string advice(const SvmOptions&) { return "--k 0 or --bound ramp"; }
};
struct SvmNdcgNc {
  static SvmTable table() {
    SvmTable table = structured();
    return with_discount(table);
  }
  static SharedLoss loss(const SvmOptions& o) {
    return structured_loss(kStructuredNdcgNc, o, {{"discount", o.discount}});
  }
};
struct SvmMrr {
  static SvmTable table() {
    SvmTable table = structured();
    return with_k(table).add(
        "map", &SvmOptions::map,
        "feature map: mrr counts non-relevant documents above the first relevant one, po all pairs",
        {"mrr", "po"});
  }
  static SharedLoss loss(const SvmOptions& o) {
    return structured_loss(kStructuredMrr, o, {{"map", o.map}, {"k", o.k}});
  }
  static std::string advice(const SvmOptions& o) {
    return o.map == "mrr" ? "--map po, --k 0 with it, or --bound ramp" : "--k 0 or --bound ramp";
  }
};
struct SvmCombo {
  static SvmTable table() {
    return shared_svm_options()
        .add("losses", &SvmOptions::losses,
             "the losses to combine, e.g. structured-map,0.5*structured-auc")
        .add("slack", &SvmOptions::slack,
             "separate: the sum of the losses; shared: the largest for each query",
             {"separate", "shared"});
  }
  static SharedLoss loss(const SvmOptions& o) {
    if (trim(o.losses).empty())
      throw Error(ErrorCode::usage, "--losses is empty: name the losses to combine");
    if (o.slack == "shared") return parse_loss("max(" + o.losses + ")");
    std::string sum;
    for (const std::string_view part : split_outside_parentheses(o.losses, ','))
      sum.append(sum.empty() ? "" : "+").append(part);
    return parse_loss(sum);  // users write these as text
  }
};
struct Dorm {
  static SvmTable table() {
    SvmTable table = structured();
    with_discount(table)
        .add("k", &SvmOptions::k, "nDCG's cut-off; 0: none", at_least(0))
        .add("decay", &SvmOptions::decay, "A(r): 1/sqrt(1+r), 1/log2(2+r), 1/(1+r), or 1 − r/cut",
             {"sqrt", "log2", "reciprocal", "linear"})
        .add("cut", &SvmOptions::cut, "the decay A is 0 from this rank on; 0: never", at_least(0))
        .add("labels", &SvmOptions::labels, "all grades, or relevant and non-relevant only",
             {"graded", "binary"})
        .add("gain", &SvmOptions::gain, "gain function of nDCG", {"exp2", "linear"});
    return table;
  }
  static SharedLoss loss(const SvmOptions& o) {
    return structured_loss(kDormLoss, o,
                           {{"discount", o.discount},
                            {"decay", o.decay},
                            {"cut", o.cut},
                            {"labels", o.labels},
                            {"gain", o.gain},
                            {"k", o.k}});
  }
};
// [Yue07]'s four classification SVMs: how the features are prepared, and whether good documents
// weigh more, are two things, so that they can be combined.
struct SvmAcc {
  static SvmTable table() {
    return binary()
        .add("variant", &SvmOptions::variant,
             "acc: data unchanged; acc2: balanced; acc3: features as percentiles within the query, "
             "acc4: features scaled to 0 … 1 within the query, both cut at 50 evenly spaced "
             "thresholds; plain, balanced, percentile and minmax are older names of the four",
             {"acc", "acc2", "acc3", "acc4", "plain", "balanced", "percentile", "minmax"})
        .add("balance", &SvmOptions::balance,
             "weight relevant documents by #non-relevant / #relevant of the training data; auto: "
             "for acc2 only",
             {"auto", "yes", "no"});
  }
  static SharedLoss loss(const SvmOptions& o) {
    const bool balanced = o.balance == "auto" ? number(o) == 2 : o.balance == "yes";
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
  // 1 to 4, under either name.
  static int number(const SvmOptions& o) {
    if (o.variant == "acc2" || o.variant == "balanced") return 2;
    if (o.variant == "acc3" || o.variant == "percentile") return 3;
    if (o.variant == "acc4" || o.variant == "minmax") return 4;
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
  // What to try where the optimum is w = 0.
  std::string advice() const {
    if constexpr (requires { Row::advice(options_); }) return Row::advice(options_);
    const auto& fields = table().fields();
    const bool has_bound = std::any_of(fields.begin(), fields.end(),
                                       [](const Field& field) { return field.name == "bound"; });
    return has_bound ? "--bound ramp" : "";
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
