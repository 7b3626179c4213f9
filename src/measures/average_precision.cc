// Average precision, with h(r) the relevant documents among ranks 0 … r:
//   AP@k = (1/d) Σ_{r<k, relevant} h(r)/(r + 1)
// where the denominator d is the number of relevant documents (trec_eval, RankLib), the smaller of
// that and k (LightGBM, XGBoost), or h(k − 1) (CatBoost, QuickRank). GMAP is the same per query
// with a geometric mean over queries. Undefined without a relevant document.
//
// Under ties: in a group of t documents, r of them relevant, after R relevant ones, position j
// (from 0) is relevant with probability r/t, and there are then R + 1 + j(r − 1)/(t − 1) relevant
// documents up to it on average.
#include <algorithm>

#include "measures/catalog.h"
#include "measures/choices.h"
#include "measures/definition.h"
#include "measures/hypergeometric.h"
#include "measures/labels.h"
#include "measures/swap_weights.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

// The expected sum of precisions over the positions of a tied group, for any number of relevant
// documents in it.
class GroupPrecision {
 public:
  GroupPrecision(std::size_t rank, std::size_t size) : size_(static_cast<double>(size)) {
    for (std::size_t j = 0; j < size; ++j) {
      const double inverse = 1 / static_cast<double>(rank + j + 1);
      inverses_ += inverse;
      places_ += static_cast<double>(j) * inverse;
    }
  }
  double operator()(std::size_t relevant_above, std::size_t relevant) const {
    if (relevant == 0) return 0;
    const auto r = static_cast<double>(relevant);
    const double step = size_ > 1 ? (r - 1) / (size_ - 1) : 0;
    return (static_cast<double>(relevant_above + 1) * inverses_ + step * places_) * r / size_;
  }

 private:
  double size_;
  double inverses_ = 0, places_ = 0;  // Σ 1/(rank + j + 1), Σ j/(rank + j + 1)
};

// Σ of precisions over the first k ranks, and the number of relevant documents there.
struct PrecisionSum {
  double precisions = 0;
  std::size_t relevant = 0;
};

PrecisionSum sum_precisions(std::span<const float> by_rank, std::size_t depth, double from) {
  PrecisionSum sum;
  const std::size_t end = std::min(depth, by_rank.size());
  for (std::size_t r = 0; r < end; ++r)
    if (is_relevant(by_rank[r], from))
      sum.precisions += static_cast<double>(++sum.relevant) / static_cast<double>(r + 1);
  return sum;
}

// value(precisions, relevant in the first k) averaged over the orders inside the groups.
template <class Value>
double expect_precisions(const TieGroups& ties, std::size_t depth, double from, Value&& value) {
  PrecisionSum sum;
  double expected = 0;
  bool done = false;
  for_each_group(ties, depth, [&](std::size_t begin, std::size_t end) {
    const std::size_t relevant =
        count_relevant_in(ties.ranking.by_rank.subspan(begin, end - begin), from);
    if (end <= depth) {
      if (relevant) sum.precisions += GroupPrecision(begin, end - begin)(sum.relevant, relevant);
      sum.relevant += relevant;
      return;
    }
    // The cut-off splits this group: given m relevant above the cut, those m are in random order.
    const std::size_t draws = depth - begin;
    const auto p = hypergeometric(end - begin, relevant, draws);
    const GroupPrecision precisions(begin, draws);
    for (std::size_t m = 0; m < p.size(); ++m)
      expected += p[m] * value(sum.precisions + precisions(sum.relevant, m), sum.relevant + m);
    done = true;
  });
  return done ? expected : value(sum.precisions, sum.relevant);
}

struct ApOptions {
  double rel = 1;
  ApDenominator denominator = ApDenominator::relevant;
  std::int64_t k = 0;
};

struct APName {
  static constexpr std::string_view kName = "AP";
  static std::string trec_name(std::size_t depth) {
    return depth == Measure::kWholeList ? "map" : trec_cut_name("map_cut", depth);
  }
  static constexpr Aggregation kAggregation = Aggregation::mean;
};
struct GMAPName {
  static constexpr std::string_view kName = "GMAP";
  static std::string trec_name(std::size_t depth) {
    return depth == Measure::kWholeList ? "gm_map" : "";
  }
  static constexpr Aggregation kAggregation = Aggregation::geometric;
};

template <class Name>
class AveragePrecision final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = Name::kName;
  static const OptionTable<ApOptions>& table() {
    static const auto table = OptionTable<ApOptions>()
                                  .add("rel", &ApOptions::rel, kRelevantHelp)
                                  .add("denominator", &ApOptions::denominator,
                                       "divide by all relevant documents, by min(relevant, k) "
                                       "(cutoff), or by the relevant "
                                       "ones among the first k (retrieved)",
                                       ap_denominator_choices())
                                  .add("k", &ApOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  AveragePrecision(std::string name, const ApOptions& options)
      : DefinedMeasure(std::move(name)),
        from_(options.rel),
        depth_(cut_off(options.k)),
        denominator_(options.denominator) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const std::size_t relevant = count_relevant(ranking.ideal, from_);
    if (relevant == 0) return std::nullopt;
    const PrecisionSum sum = sum_precisions(ranking.by_rank, depth_, from_);
    return divide(sum.precisions, sum.relevant, relevant);
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    const std::size_t relevant = count_relevant(ties.ranking.ideal, from_);
    if (relevant == 0) return std::nullopt;
    return expect_precisions(ties, depth_, from_, [&](double precisions, std::size_t found) {
      return divide(precisions, found, relevant);
    });
  }

  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    if (denominator_ == ApDenominator::retrieved) return Measure::swap_delta(ranking, i, j);
    const std::span<const float> labels = ranking.by_rank;
    if (i > j) std::swap(i, j);
    const bool upper = is_relevant(labels[i], from_);
    if (i >= depth_ || upper == is_relevant(labels[j], from_)) return 0;
    std::size_t count = count_relevant_in(labels.first(i), from_) + 1;
    double gained = static_cast<double>(count) / static_cast<double>(i + 1);
    for (std::size_t r = i + 1; r < std::min(j, depth_); ++r)
      if (is_relevant(labels[r], from_)) {
        gained += 1 / static_cast<double>(r + 1);
        ++count;
      }
    if (j < depth_) gained -= static_cast<double>(count) / static_cast<double>(j + 1);
    const std::size_t relevant = count_relevant(ranking.ideal, from_);
    return divide(upper ? -gained : gained, 0, relevant);
  }

  std::size_t depth() const override { return depth_; }
  Aggregation aggregation() const override { return Name::kAggregation; }
  MeasureForm form() const override {
    if (depth_ != kWholeList) return {};
    return {.kind = MeasureForm::Kind::precision, .relevant_from = from_};
  }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    if (denominator_ == ApDenominator::retrieved) return nullptr;
    return average_precision_swap_weights(
        from_, depth_, denominator_ == ApDenominator::cut_off ? depth_ : kWholeList);
  }
  std::string trec_name(const Convention& convention) const override {
    const bool usual =
        from_ == convention.relevant_from && denominator_ == convention.ap_denominator;
    return usual ? Name::trec_name(depth_) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double divide(double precisions, std::size_t found, std::size_t relevant) const {
    const std::size_t by = denominator_ == ApDenominator::relevant  ? relevant
                           : denominator_ == ApDenominator::cut_off ? std::min(relevant, depth_)
                                                                    : found;
    return by ? precisions / static_cast<double>(by) : 0;
  }

  double from_;
  std::size_t depth_;
  ApDenominator denominator_;
};

}  // namespace

const Entry<Measure> kAveragePrecision = define<AveragePrecision<APName>>(
    "average precision: mean precision at the relevant documents (its mean is MAP)", "Buckley00");
const Entry<Measure> kGeometricAveragePrecision = define<AveragePrecision<GMAPName>>(
    "average precision with a geometric mean over queries (trec_eval's gm_map)", "Robertson06");

}  // namespace podium
