// Losses over all pairs of different grades, one row per pair function:
//   L = (1/P) Σ_{y_i > y_j} w_ij φ(s_i − s_j), P the number of such pairs, or 1 with pairs=sum.
// See pair_functions-inl.h for φ and grade_pairs.h for w. Short lists are summed pair by pair,
// O(n²); long ones by long_pairs.h, O(n log n).
//
// The squared hinge may have a tie term, which pulls documents of one grade together [Moon10,
// section 4.3]: + (tie/P) Σ_{y_i = y_j} ½ (s_i − s_j)², each pair once; in O(n), from the grade's
// mean score. GBRank is the squared hinge with margins that grow with the difference of grades.
#include "losses/pairwise/pairwise_grades.h"

#include <algorithm>

#include "losses/catalog.h"
#include "losses/device/device_grade_pairs.h"
#include "losses/device/grade_pair_kernels.h"
#include "losses/pairwise/grade_pairs.h"
#include "losses/pairwise/long_pairs.h"
#include "losses/pairwise/preferences.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

struct GradePairForm {
  PairKind kind;
  PairFunction function;
  double sigma = 1;
  LossTraits::Shape shape = LossTraits::Shape::convex;
  PairCost long_cost = {};  // the same function, for long lists
  double tie = 0;
};

// The ends of the grades, for documents sorted by grade.
std::vector<std::uint32_t> grade_ends(std::span<const double> grades) {
  std::vector<std::uint32_t> ends;
  for (std::size_t at = 1; at <= grades.size(); ++at)
    if (at == grades.size() || grades[at] != grades[at - 1])
      ends.push_back(static_cast<std::uint32_t>(at));
  return ends;
}

// Adds the tie term of positions begin … end − 1, which have the same grade; returns its value.
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
      : data_(data), form_(form), weight_(weight), pairs_(data, weight, scale) {}

  bool informative(std::size_t q) const override { return pairs_.informative(q); }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    if (!informative(q)) {
      std::fill(out.first.begin(), out.first.end(), 0.0);
      std::fill(out.second.begin(), out.second.end(), 0.0);
      return 0;
    }
    PairArrays arrays(pairs_.order(q), data_.labels(q), scores, form_.sigma);
    double value = sum(q, arrays, out.stop);
    if (form_.tie > 0) value += pull_grades_together(arrays, data_.document_weights(q), form_.tie);
    arrays.scatter(pairs_.scale(q), out);
    return pairs_.scale(q) * value;
  }

  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    static_assert(kMostPairedDocuments <= kShortList);  // longer ones are summed in another way
    return device_grade_pairs({.data = data_,
                               .kind = form_.kind,
                               .shape = form_.function.shape,
                               .sigma = form_.sigma,
                               .largest_range = 2 * kLargestExponent,
                               .tie = form_.tie,
                               .by_grade = weight_ != PairWeight::one,
                               .order = pairs_.order(),
                               .scale = pairs_.scale()},
                              site);
  }

 private:
  double sum(std::size_t q, PairArrays& arrays, StopCheck stop) const {
    const auto grades = std::as_const(arrays).grades().first(arrays.documents());
    if (grades.size() > kShortList) {
      const std::vector<std::uint32_t> ends = grade_ends(grades);
      const LongList list(std::as_const(arrays).scores().first(grades.size()), grades, ends);
      if (list.can_sum(form_.long_cost)) return sum_long(q, list, arrays, stop);
    }
    GradePairs::Rows rows(pairs_, q, arrays);
    return sum_pairs(form_.function, rows, arrays, stop).value;
  }

  // The weight of a pair is the product of its documents' weights, and with weight=grade also y_i −
  // y_j: two sums of products.
  double sum_long(std::size_t q, const LongList& list, PairArrays& arrays, StopCheck stop) const {
    const std::size_t n = arrays.documents();
    const auto weights = data_.document_weights(q);
    const auto grades = std::as_const(arrays).grades();
    std::vector<double> plain(n, 1.0), graded(n);
    for (std::size_t place = 0; place < n; ++place) {
      if (!weights.empty()) plain[place] = weights[arrays.document(place)];
      graded[place] = plain[place] * (grades[place] - grades[n - 1]);
    }
    LongList::Sums sums{arrays.first(), arrays.second(), 0, 0, stop};
    if (weight_ == PairWeight::one) {
      list.add(form_.long_cost, {plain, plain}, 1, sums);
    } else {
      list.add(form_.long_cost, {graded, plain}, 1, sums);
      list.add(form_.long_cost, {plain, graded}, -1, sums);
    }
    for (double& curvature : arrays.second()) curvature = std::max(curvature, 0.0);  // rounding
    return sums.value;
  }

  const Dataset& data_;
  GradePairForm form_;
  PairWeight weight_;
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
  std::unique_ptr<const Loss> over_preferences() const override {
    return preference_loss(
        {name_, form_.function.kernel, form_.function.shape, form_.sigma, form_.shape, scale_});
  }

 private:
  std::string name_;
  GradePairForm form_;
  PairWeight weight_;
  PairScale scale_;
};

// The options of all rows: which weights, and how pairs are summed.
template <class Options>
OptionTable<Options> with_common(OptionTable<Options> table) {
  return table
      .add("weight", &Options::weight,
           "weight of a pair: one, or grade, the difference of its grades", pair_weight_choices())
      .add("pairs", &Options::pairs, kPairScaleHelp, pair_scale_choices());
}

constexpr const char* kMarginHelp = "margin by which the better document should lead";
constexpr const char* kGradeMarginHelp = "additional margin per grade of difference";
constexpr const char* kTieHelp =
    "weight of squared score differences between documents of equal grade";

struct HingeOptions {
  double margin = 1, grade_margin = 0;
  PairWeight weight = PairWeight::one;
  PairScale pairs = PairScale::average;
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
  PairWeight weight = PairWeight::one;
  PairScale pairs = PairScale::average;
  static const OptionTable<SquaredHingeOptions>& table() {
    static const auto options = squared_hinge_table<SquaredHingeOptions>();
    return options;
  }
};

enum class MarginForce { continuous, literal };

struct MarginOptions {
  double delta = 1;
  MarginForce form = MarginForce::continuous;
  PairWeight weight = PairWeight::one;
  PairScale pairs = PairScale::average;
  static const OptionTable<MarginOptions>& table() {
    static const auto options = with_common(
        OptionTable<MarginOptions>()
            .add("delta", &MarginOptions::delta, "margin beyond which a pair is ignored", above(0))
            .add("form", &MarginOptions::form,
                 "gradient inside the margin: continuous, (delta - x)/delta; literal, delta - x",
                 {{"continuous", MarginForce::continuous}, {"literal", MarginForce::literal}}));
    return options;
  }
};

}  // namespace

const OptionTable<SigmaPairOptions>& SigmaPairOptions::table() {
  static const auto options = with_common(OptionTable<SigmaPairOptions>().add(
      "sigma", &SigmaPairOptions::sigma, "steepness: scores are multiplied by sigma", above(0)));
  return options;
}

const OptionTable<GbrankOptions>& GbrankOptions::table() {
  static const auto options = squared_hinge_table<GbrankOptions>();
  return options;
}

namespace {

constexpr auto kConvex = LossTraits::Shape::convex;
constexpr auto kNotConvex = LossTraits::Shape::not_convex;

GradePairForm logistic(const SigmaPairOptions& options) {
  const PairKernels& kernels = pair_kernels();
  return {PairKind::logistic,
          {kernels.logistic, {}, kernels.logistic_from_powers},
          options.sigma,
          kConvex,
          logistic_cost()};
}
GradePairForm exponential(const SigmaPairOptions& options) {
  return {PairKind::exponential,
          {pair_kernels().exponential, {}},
          options.sigma,
          kConvex,
          ExponentialCost{}};
}
GradePairForm fidelity(const SigmaPairOptions& options) {
  return {PairKind::fidelity,
          {pair_kernels().fidelity, {}},
          options.sigma,
          kNotConvex,
          fidelity_cost()};
}
GradePairForm hinge(const HingeOptions& options) {
  const double m = options.margin;
  return {PairKind::hinge,
          {pair_kernels().hinge, {m, options.grade_margin}},
          1,
          kConvex,
          PiecewiseCost{{{m, {m, -1, 0}, {-1, 0}, 1}}, options.grade_margin}};
}
template <class Options>
GradePairForm squared_hinge(const Options& options) {
  const double m = options.margin;
  return {PairKind::squared_hinge,
          {pair_kernels().squared_hinge, {m, options.grade_margin}},
          1,
          kConvex,
          PiecewiseCost{{{m, {0.5 * m * m, -m, 0.5}, {-m, 1}, 1}}, options.grade_margin},
          options.tie};
}
// As printed, the slope jumps at 0 if δ > 1. Inside the margin φ is ½ slope (δ − x)²; below 0 a
// second piece makes it ½ top δ − x.
GradePairForm margin(const MarginOptions& options) {
  const bool literal = options.form == MarginForce::literal;
  const double delta = options.delta, top = literal ? delta : 1, slope = top / delta;
  return {literal ? PairKind::literal_margin : PairKind::margin,
          {literal ? pair_kernels().literal_margin : pair_kernels().margin, {delta}},
          1,
          literal && delta > 1 ? kNotConvex : kConvex,
          PiecewiseCost{{{delta,
                          {0.5 * slope * delta * delta, -slope * delta, 0.5 * slope},
                          {-slope * delta, slope},
                          slope},
                         {0, {0, top - 1, -0.5 * slope}, {top - 1, -slope}, 0}}}};
}

template <class Options>
const std::vector<Field>& fields_of() {
  return Options::table().fields();
}

template <class Options>
std::unique_ptr<const Loss> make_pairs(const Entry<Loss>& row, const GradePairForm& form,
                                       const Options& options) {
  return std::make_unique<GradePairLoss>(loss_name(row.name, Options::table(), options), form,
                                         options.weight, options.pairs);
}

template <class Options, GradePairForm (*form)(const Options&), const Entry<Loss>& self>
std::unique_ptr<const Loss> make_row(const Settings& settings) {
  const Options options = Options::table().read(settings);
  return make_pairs(self, form(options), options);
}

}  // namespace

std::unique_ptr<const Loss> logistic_pairs_loss(const SigmaPairOptions& options) {
  return make_pairs(kLogisticPairs, logistic(options), options);
}

std::unique_ptr<const Loss> gbrank_loss(const GbrankOptions& options) {
  return make_pairs(kGbrankLoss, squared_hinge(options), options);
}

const Entry<Loss> kLogisticPairs = {
    "logistic-pairs", "logistic over all pairs of different grades (RankNet)", "Burges05b",
    fields_of<SigmaPairOptions>, make_row<SigmaPairOptions, logistic, kLogisticPairs>};
const Entry<Loss> kExponentialPairs = {
    "exponential-pairs",
    "exponential over all pairs of different grades (RankBoost); its tangent from e^40 on",
    "Freund03", fields_of<SigmaPairOptions>,
    make_row<SigmaPairOptions, exponential, kExponentialPairs>};
const Entry<Loss> kFidelityPairs = {
    "fidelity-pairs", "fidelity loss over all pairs of different grades (FRank)", "Tsai07",
    fields_of<SigmaPairOptions>, make_row<SigmaPairOptions, fidelity, kFidelityPairs>};
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
