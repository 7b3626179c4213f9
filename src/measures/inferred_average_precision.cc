// Inferred AP [Yilmaz06], as trec_eval computes it: AP where the pool was judged in part. A grade ≥
// 0 is judged, a negative one is in the pool but not judged, NaN is outside the pool. At a relevant
// document of rank J (from 0) with a relevant, b judged non-relevant and c unjudged pool documents
// above it, the inferred precision is ( 1 + (a + b + c) · (a + ε)/(a + b + 2ε) ) / (J + 1), ε =
// 10⁻⁵. infAP = Σ / (relevant documents). Undefined without a relevant document.
//
// Under ties the mean is a sum over (a, b, rank), weighted by the multivariate hypergeometric
// distribution; c enters linearly, so its conditional mean is enough. O(relevant · judged ·
// others).
#include <cmath>
#include <vector>

#include "core/math_functions.h"
#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"

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

class LogChoose {
 public:
  explicit LogChoose(std::size_t n) : log_factorial_(n + 1) {
    for (std::size_t i = 2; i <= n; ++i)
      log_factorial_[i] = log_factorial_[i - 1] + math::log(static_cast<double>(i));
  }
  double operator()(std::size_t n, std::size_t k) const {
    return log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }

 private:
  std::vector<double> log_factorial_;
};

// The mean inferred precision at one relevant document of a tied group below `above`.
double mean_in_group(const Kinds& above, const Kinds& group) {
  const LogChoose choose(group.all());
  const std::size_t rank = above.all();
  const double unjudged_share =
      group.others() ? static_cast<double>(group.unjudged) / static_cast<double>(group.others())
                     : 0;
  double mean = 0;
  for (std::size_t a = 0; a < group.relevant; ++a)
    for (std::size_t b = 0; b <= group.judged_bad; ++b)
      for (std::size_t c = 0; c <= group.others(); ++c) {
        const std::size_t position = a + b + c;
        const double probability =
            math::exp(choose(group.relevant - 1, a) + choose(group.judged_bad, b) +
                      choose(group.others(), c) - choose(group.all() - 1, position)) /
            static_cast<double>(group.all());
        mean += probability * inferred_precision(static_cast<double>(above.relevant + a),
                                                 static_cast<double>(above.judged_bad + b),
                                                 static_cast<double>(above.unjudged) +
                                                     unjudged_share * static_cast<double>(c),
                                                 rank + position);
      }
  return mean;
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
