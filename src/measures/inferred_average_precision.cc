// Inferred AP [Yilmaz06], as trec_eval computes it: AP if only part of the pool was judged. A grade
// ≥ 0 is judged, a negative one is in the pool but not judged, NaN is outside the pool. At a
// relevant document of rank J (from 0) with a relevant, b judged non-relevant and c unjudged pool
// documents above it, the inferred precision is ( 1 + (a + b + c) · (a + ε)/(a + b + 2ε) ) / (J +
// 1), ε = 10⁻⁵. infAP = Σ / (relevant documents). Undefined without a relevant document.
//
// Under ties, a relevant document is equally likely at each position of its group. The number of
// unjudged documents above it in the group is hypergeometric; given this number, a + b is known, a
// and c enter linearly, and their conditional means suffice. O(t) for a group of t judged
// documents, O(t √t) if some are not judged.
#include <cmath>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/hypergeometric.h"
#include "measures/labels.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

constexpr double kEpsilon = 1e-5;

// Documents by kind: in a group, or above a rank.
struct Kinds {
  std::size_t relevant = 0, judged_bad = 0, unjudged = 0, outside = 0;

  std::size_t others() const { return unjudged + outside; }
  std::size_t all() const { return relevant + judged_bad + others(); }
  void add(float label, double from) {
    ++(is_relevant(label, from) ? relevant
       : label >= 0             ? judged_bad
       : label < 0              ? unjudged
                                : outside);
  }
  Kinds& operator+=(const Kinds& more) {
    relevant += more.relevant;
    judged_bad += more.judged_bad;
    unjudged += more.unjudged;
    outside += more.outside;
    return *this;
  }
};

double inferred_precision(double relevant, double judged_bad, double unjudged, std::size_t rank) {
  const double share = (relevant + kEpsilon) / (relevant + judged_bad + 2 * kEpsilon);
  return (1 + (relevant + judged_bad + unjudged) * share) / static_cast<double>(rank + 1);
}

double ratio(std::size_t a, std::size_t b) {
  return b ? static_cast<double>(a) / static_cast<double>(b) : 0;
}

// The mean inferred precision at one relevant document of a tied group below `above`.
double mean_in_group(const Kinds& above, const Kinds& group) {
  const std::size_t rank = above.all(), judged = group.relevant + group.judged_bad;
  const double unjudged_share = ratio(group.unjudged, group.others());
  const double relevant_share = ratio(group.relevant - 1, judged - 1);
  double sum = 0;
  for (std::size_t position = 0; position < group.all(); ++position) {
    const auto [first, p] = likely_hypergeometric(group.all() - 1, group.others(), position);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const std::size_t others = first + k;
      const auto seen = static_cast<double>(position - others);
      const double relevant = relevant_share * seen;
      sum += p[k] * inferred_precision(static_cast<double>(above.relevant) + relevant,
                                       static_cast<double>(above.judged_bad) + seen - relevant,
                                       static_cast<double>(above.unjudged) +
                                           unjudged_share * static_cast<double>(others),
                                       rank + position);
    }
  }
  return sum / static_cast<double>(group.all());
}

struct InfApOptions {
  double rel = 1;
};

class InferredAveragePrecision final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "infAP";
  static const OptionTable<InfApOptions>& table() {
    static const auto table =
        OptionTable<InfApOptions>().add("rel", &InfApOptions::rel, kRelevantHelp);
    return table;
  }

  InferredAveragePrecision(std::string name, const InfApOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    Kinds above;
    double sum = 0;
    for (std::size_t r = 0; r < ranking.by_rank.size(); ++r) {
      if (is_relevant(ranking.by_rank[r], from_))
        sum += inferred_precision(static_cast<double>(above.relevant),
                                  static_cast<double>(above.judged_bad),
                                  static_cast<double>(above.unjudged), r);
      above.add(ranking.by_rank[r], from_);
    }
    return divide(sum, ranking.ideal);
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    Kinds above;
    double sum = 0;
    for_each_group(ties, kWholeList, [&](std::size_t begin, std::size_t end) {
      Kinds group;
      for (std::size_t r = begin; r < end; ++r) group.add(ties.ranking.by_rank[r], from_);
      if (group.relevant) sum += static_cast<double>(group.relevant) * mean_in_group(above, group);
      above += group;
    });
    return divide(sum, ties.ranking.ideal);
  }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? "infAP" : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  std::optional<double> divide(double sum, std::span<const float> ideal) const {
    const std::size_t relevant = count_relevant(ideal, from_);
    if (relevant == 0) return std::nullopt;
    return sum / static_cast<double>(relevant);
  }

  double from_;
};

}  // namespace

const Entry<Measure> kInferredAveragePrecision = define<InferredAveragePrecision>(
    "average precision inferred from a partly judged pool (trec_eval's infAP)", "Yilmaz06");

}  // namespace podium
