// Losses over all pairs of different grades, one row a pair function:
//   L = (1/P) Σ_{y_i > y_j} w_ij φ(s_i − s_j), P the number of such pairs, or 1 with pairs=sum.
// See pair_functions.h for φ and grade_pairs.h for w.
//
// The squared hinge may have a tie term, which pulls documents of one grade together [Moon10,
// section 4.3]: + (tie/P) Σ_{y_i = y_j} ½ (s_i − s_j)², each pair once; in O(n), from the grade's
// mean score. GBRank is the squared hinge with margins that grow with the difference of grades.
#include <algorithm>

#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/grade_pairs.h"

namespace podium {
namespace {

struct GradePairForm {
  PairFunction function;
  double sigma = 1;
  LossTraits::Shape shape = LossTraits::Shape::convex;
  double tie = 0;
};

// Adds the tie term of places begin … end − 1, a grade; returns its value.
double pull_together(PairArrays& arrays, std::span<const float> weights, std::size_t begin,
                     std::size_t end, double tie) {
  const auto weight = [&](std::size_t place) {
    return weights.empty() ? 1.0 : weights[arrays.document(place)];
  };
  const auto scores = std::as_const(arrays).scores();
  double total = 0, mean = 0, spread = 0;
  for (std::size_t place = begin; place < end; ++place) total += weight(place);
  if (!(total > 0)) return 0;
  for (std::size_t place = begin; place < end; ++place)
    mean += weight(place) / total * scores[place];
  for (std::size_t place = begin; place < end; ++place) {
    const double w = weight(place), away = scores[place] - mean;
    spread += w * away * away;
    arrays.first()[place] += tie * w * total * away;
    arrays.second()[place] += tie * w * (total - w);
  }
  return 0.5 * tie * total * spread;
}

double pull_grades_together(PairArrays& arrays, std::span<const float> weights, double tie) {
  const auto grades = std::as_const(arrays).grades();
  double value = 0;
  for (std::size_t begin = 0, end = 0; begin < arrays.documents(); begin = end) {
    while (end < arrays.documents() && grades[end] == grades[begin]) ++end;
    value += pull_together(arrays, weights, begin, end, tie);
  }
  return value;
}

class BoundGradePairs final : public BoundLoss {
 public:
  BoundGradePairs(const Dataset& data, const GradePairForm& form, PairWeight weight,
                  PairScale scale)
      : data_(data), form_(form), pairs_(data, weight, scale) {}

  bool informative(std::size_t q) const override { return pairs_.informative(q); }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    if (!informative(q)) {
      std::fill(out.first.begin(), out.first.end(), 0.0);
      std::fill(out.second.begin(), out.second.end(), 0.0);
      return 0;
    }
    PairArrays arrays(pairs_.order(q), data_.labels(q), scores, form_.sigma);
    GradePairs::Rows rows(pairs_, q, arrays);
    double value = sum_pairs(form_.function, rows, arrays).value;
    if (form_.tie > 0) value += pull_grades_together(arrays, data_.document_weights(q), form_.tie);
    arrays.scatter(pairs_.scale(q), out);
    return pairs_.scale(q) * value;
  }

 private:
  const Dataset& data_;
  GradePairForm form_;
  GradePairs pairs_;
};

class GradePairLoss final : public Loss {
 public:
  GradePairLoss(std::string name, const GradePairForm& form, PairWeight weight, PairScale scale)
      : name_(std::move(name)), form_(form), weight_(weight), scale_(scale) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {form_.shape, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundGradePairs>(data, form_, weight_, scale_);
  }

 private:
  std::string name_;
  GradePairForm form_;
  PairWeight weight_;
  PairScale scale_;
};

// The options of all rows: which weights, and how pairs add up.
template <class Options>
OptionTable<Options> with_common(OptionTable<Options> table) {
  return table
      .add("weight", &Options::weight, "of a pair: one, or grade, the difference of its grades",
           {"one", "grade"})
      .add("pairs", &Options::pairs, "average: every query counts the same; sum: every pair does",
           {"average", "sum"});
}

struct SigmaOptions {
  double sigma = 1;
  std::string weight = "one", pairs = "average";
  static const OptionTable<SigmaOptions>& table() {
    static const auto options = with_common(OptionTable<SigmaOptions>().add(
        "sigma", &SigmaOptions::sigma, "steepness: scores count times sigma", above(0)));
    return options;
  }
};

constexpr const char* kMarginHelp = "how far a better document should lead";
constexpr const char* kGradeMarginHelp = "and how much farther for each grade of difference";
constexpr const char* kTieHelp =
    "weight of the squared differences between documents of equal grade";

struct HingeOptions {
  double margin = 1, grade_margin = 0;
  std::string weight = "one", pairs = "average";
  static const OptionTable<HingeOptions>& table() {
    static const auto options = with_common(
        OptionTable<HingeOptions>()
            .add("margin", &HingeOptions::margin, kMarginHelp, at_least(0))
            .add("grade-margin", &HingeOptions::grade_margin, kGradeMarginHelp, at_least(0)));
    return options;
  }
};

template <class Options>
OptionTable<Options> squared_hinge_table() {
  return with_common(OptionTable<Options>()
                         .add("margin", &Options::margin, kMarginHelp, at_least(0))
                         .add("grade-margin", &Options::grade_margin, kGradeMarginHelp, at_least(0))
                         .add("tie", &Options::tie, kTieHelp, at_least(0)));
}

struct SquaredHingeOptions {
  double margin = 1, grade_margin = 0, tie = 0;
  std::string weight = "one", pairs = "average";
  static const OptionTable<SquaredHingeOptions>& table() {
    static const auto options = squared_hinge_table<SquaredHingeOptions>();
    return options;
  }
};

struct GbrankOptions {
  double margin = 0, grade_margin = 1, tie = 0.1;
  std::string weight = "one", pairs = "average";
  static const OptionTable<GbrankOptions>& table() {
    static const auto options = squared_hinge_table<GbrankOptions>();
    return options;
  }
};

struct MarginOptions {
  double delta = 1;
  std::string form = "continuous";
  std::string weight = "one", pairs = "average";
  static const OptionTable<MarginOptions>& table() {
    static const auto options = with_common(
        OptionTable<MarginOptions>()
            .add("delta", &MarginOptions::delta, "the margin from which on a pair is left alone",
                 above(0))
            .add(
                "form", &MarginOptions::form,
                "of the force inside the margin: continuous, (delta - x)/delta; literal, delta - x",
                {"continuous", "literal"}));
    return options;
  }
};

GradePairForm logistic(const SigmaOptions& options) {
  const PairKernels& kernels = pair_kernels();
  return {{kernels.logistic, {}, kernels.logistic_from_powers}, options.sigma};
}
GradePairForm exponential(const SigmaOptions& options) {
  return {{pair_kernels().exponential, {}}, options.sigma};
}
GradePairForm fidelity(const SigmaOptions& options) {
  return {{pair_kernels().fidelity, {}}, options.sigma, LossTraits::Shape::not_convex};
}
GradePairForm hinge(const HingeOptions& options) {
  return {{pair_kernels().hinge, {options.margin, options.grade_margin}}};
}
template <class Options>
GradePairForm squared_hinge(const Options& options) {
  GradePairForm form{{pair_kernels().squared_hinge, {options.margin, options.grade_margin}}};
  form.tie = options.tie;
  return form;
}
// As printed, the force rises at 0 when δ > 1.
GradePairForm margin(const MarginOptions& options) {
  const bool literal = options.form == "literal";
  GradePairForm form{
      {literal ? pair_kernels().literal_margin : pair_kernels().margin, {options.delta}}};
  if (literal && options.delta > 1) form.shape = LossTraits::Shape::not_convex;
  return form;
}

template <class Options>
const std::vector<Field>& fields_of() {
  return Options::table().fields();
}

template <class Options, GradePairForm (*form)(const Options&), const Entry<Loss>& self>
std::unique_ptr<const Loss> make_row(const Settings& settings) {
  const Options options = Options::table().read(settings);
  return std::make_unique<GradePairLoss>(
      format_spec(self.name, fields_of<Options>(), settings), form(options),
      options.weight == "grade" ? PairWeight::grade_difference : PairWeight::one,
      options.pairs == "average" ? PairScale::average : PairScale::sum);
}

}  // namespace

const Entry<Loss> kLogisticPairs = {
    "logistic-pairs", "logistic over all pairs of different grades (RankNet)", "Burges05b",
    fields_of<SigmaOptions>, make_row<SigmaOptions, logistic, kLogisticPairs>};
const Entry<Loss> kExponentialPairs = {
    "exponential-pairs", "exponential over all pairs of different grades (RankBoost)", "Freund03",
    fields_of<SigmaOptions>, make_row<SigmaOptions, exponential, kExponentialPairs>};
const Entry<Loss> kFidelityPairs = {
    "fidelity-pairs", "fidelity loss over all pairs of different grades (FRank)", "Tsai07",
    fields_of<SigmaOptions>, make_row<SigmaOptions, fidelity, kFidelityPairs>};
const Entry<Loss> kHingePairs = {
    "hinge-pairs", "hinge over all pairs, with grade margins and pair weights", "Joachims02",
    fields_of<HingeOptions>, make_row<HingeOptions, hinge, kHingePairs>};
const Entry<Loss> kSquaredHingePairs = {
    "squared-hinge-pairs", "squared hinge over all pairs of different grades", "Zheng07",
    fields_of<SquaredHingeOptions>,
    make_row<SquaredHingeOptions, squared_hinge<SquaredHingeOptions>, kSquaredHingePairs>};
const Entry<Loss> kGbrankLoss = {
    "gbrank", "squared hinge over pairs with grade margins, and a tie term (GBRank)", "Zheng07",
    fields_of<GbrankOptions>, make_row<GbrankOptions, squared_hinge<GbrankOptions>, kGbrankLoss>};
const Entry<Loss> kMarginPairs = {
    "margin-pairs", "the λ-function with a margin, over all pairs of different grades", "Burges05",
    fields_of<MarginOptions>, make_row<MarginOptions, margin, kMarginPairs>};

}  // namespace podium
