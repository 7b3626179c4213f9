// Rank-biased precision [Moffat08]: RBP@k = (1 − p) Σ_{r<k, relevant} p^r, the precision seen by a
// user who continues to the next document with probability p. Defined for every query.
#include <cmath>

#include "core/math_functions.h"
#include "measures/additive.h"
#include "measures/catalog.h"
#include "measures/definition.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

// 1 for a relevant document.
struct Relevance {
  double from;
  double operator()(float label) const { return is_relevant(label, from) ? 1 : 0; }
};

struct RbpOptions {
  double p = 0.8;
  double rel = 1;
  std::int64_t k = 0;
};

class RankBiasedPrecision final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "RBP";
  static const OptionTable<RbpOptions>& table() {
    static const auto table =
        OptionTable<RbpOptions>()
            .add("p", &RbpOptions::p,
                 "persistence: the probability that a user looks at the next document",
                 between(0, 1))
            .add("rel", &RbpOptions::rel, kRelevantHelp)
            .add("k", &RbpOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  RankBiasedPrecision(std::string name, const RbpOptions& options)
      : DefinedMeasure(std::move(name)),
        p_(options.p),
        from_(options.rel),
        depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return (1 - p_) * additive_value(ranking.by_rank, depth_, Relevance{from_}, Powers{p_});
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return (1 - p_) * additive_expected(ties, depth_, Relevance{from_}, Powers{p_});
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const auto power = [this](std::size_t r) { return math::pow(p_, static_cast<double>(r)); };
    return (1 - p_) * additive_swap(ranking.by_rank, depth_, i, j, Relevance{from_}, power);
  }
  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::additive}; }
  std::string trec_name(const Convention& convention) const override {
    const bool usual = p_ == 0.9 && from_ == convention.relevant_from && depth_ == kWholeList;
    return usual ? "rbp" : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  // p^rank, for ranks requested in ascending order.
  struct Powers {
    double p;
    double power = 1;
    std::size_t at = 0;
    double operator()(std::size_t rank) {
      for (; at < rank; ++at) power *= p;
      return power;
    }
  };

  double p_;
  double from_;
  std::size_t depth_;
};

}  // namespace

const Entry<Measure> kRankBiasedPrecision = define<RankBiasedPrecision>(
    "rank-biased precision: for a user who continues with probability p", "Moffat08");

}  // namespace podium
