// Binary preference [Buckley04], as trec_eval computes it: with R relevant and N judged
// non-relevant documents,
//   Bpref = (1/R) Σ over retrieved relevant documents of 1 − min(n, R)/min(N, R),
// n = judged non-relevant documents above it. A negative grade ("in the pool, not judged") and NaN
// are neither. Undefined without a relevant document. GMBpref is its geometric mean over queries.
//
// Under ties: for a relevant document in a group with m non-relevant ones, n is uniformly
// distributed over the number above the group plus 0 … m.
#include <algorithm>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "measures/swap_weights.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

struct BprefOptions {
  double rel = 1;
};

struct BprefName {
  static constexpr std::string_view kName = "Bpref", kTrecName = "bpref";
  static constexpr Aggregation kAggregation = Aggregation::mean;
};
struct GMBprefName {
  static constexpr std::string_view kName = "GMBpref", kTrecName = "gm_bpref";
  static constexpr Aggregation kAggregation = Aggregation::geometric;
};

template <class Name>
class Bpref final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = Name::kName;
  static const OptionTable<BprefOptions>& table() {
    static const auto table =
        OptionTable<BprefOptions>().add("rel", &BprefOptions::rel, kRelevantHelp);
    return table;
  }

  Bpref(std::string name, const BprefOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    Sum sum(*this, ranking.ideal);
    for (const float label : ranking.by_rank) sum.add_group({&label, 1});
    return sum.bpref();
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    Sum sum(*this, ties.ranking.ideal);
    for_each_group(ties, kWholeList, [&](std::size_t begin, std::size_t end) {
      sum.add_group(ties.ranking.by_rank.subspan(begin, end - begin));
    });
    return sum.bpref();
  }
  Aggregation aggregation() const override { return Name::kAggregation; }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return bpref_swap_weights(from_);
  }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? std::string(Name::kTrecName) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  bool is_judged_bad(float label) const { return label >= 0 && !is_relevant(label, from_); }

  class Sum {
   public:
    Sum(const Bpref& measure, std::span<const float> ideal)
        : measure_(measure), relevant_(count_relevant(ideal, measure.from_)) {
      const auto bad = static_cast<std::size_t>(std::count_if(
          ideal.begin(), ideal.end(), [&](float label) { return measure.is_judged_bad(label); }));
      limit_ = static_cast<double>(std::min(bad, relevant_));
    }

    void add_group(std::span<const float> group) {
      std::size_t good = 0, bad = 0;
      for (const float label : group) {
        good += is_relevant(label, measure_.from_);
        bad += measure_.is_judged_bad(label);
      }
      if (good) {
        double preferred = 0;
        for (std::size_t n = bad_above_; n <= bad_above_ + bad; ++n) preferred += preference(n);
        sum_ += static_cast<double>(good) * preferred / static_cast<double>(bad + 1);
      }
      bad_above_ += bad;
    }
    std::optional<double> bpref() const {
      if (relevant_ == 0) return std::nullopt;
      return sum_ / static_cast<double>(relevant_);
    }

   private:
    double preference(std::size_t bad_above) const {
      if (bad_above == 0) return 1;
      return 1 - static_cast<double>(std::min(bad_above, relevant_)) / limit_;
    }

    const Bpref& measure_;
    std::size_t relevant_;
    double limit_;
    std::size_t bad_above_ = 0;
    double sum_ = 0;
  };

  double from_;
};

}  // namespace

const Entry<Measure> kBpref = define<Bpref<BprefName>>(
    "binary preference: judged non-relevant documents above the relevant ones", "Buckley04");
const Entry<Measure> kGeometricBpref = define<Bpref<GMBprefName>>(
    "Bpref with a geometric mean over queries (trec_eval's gm_bpref)", "Buckley04");

}  // namespace podium
