// Counts over the first k ranks, where R documents of the query are relevant and h of them are
// among the first k:
//   P@k = h/k, a list shorter than k filled with non-relevant ones; without k, h/n over the list
//   R@k = h/R
//   RelP@k = h/min(k, R)
//   Success@k = [h > 0], which is 1 − WTA at k = 1
//   Rprec(mult=m) = P at ⌊m · R + 0.9⌋
// R, RelP and Rprec are undefined without a relevant document; P and Success are defined for every
// query.
#include <algorithm>

#include "measures/additive.h"
#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/hypergeometric.h"
#include "measures/swap_weights.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

auto relevance(double from) {
  return [from](float label) { return is_relevant(label, from) ? 1.0 : 0.0; };
}

struct CutOffOptions {
  double rel = 1;
  std::int64_t k = 0;
};

const OptionTable<CutOffOptions>& cut_off_table() {
  static const auto table = OptionTable<CutOffOptions>()
                                .add("rel", &CutOffOptions::rel, kRelevantHelp)
                                .add("k", &CutOffOptions::k, kCutOffHelp, at_least(1));
  return table;
}

// The divisor of the number of relevant documents among the first k; 0: undefined.
struct ByCutOff {
  static constexpr std::string_view kName = "P", kTrecFamily = "P";
  static constexpr ShareOf kShareOf = ShareOf::cut_off;
  static double divisor(const RankedLabels& ranking, std::size_t depth, double) {
    const std::size_t n = depth == Measure::kWholeList ? ranking.by_rank.size() : depth;
    return static_cast<double>(std::max<std::size_t>(n, 1));
  }
};
struct ByRelevant {
  static constexpr std::string_view kName = "R", kTrecFamily = "recall";
  static constexpr ShareOf kShareOf = ShareOf::relevant;
  static double divisor(const RankedLabels& ranking, std::size_t, double from) {
    return static_cast<double>(count_relevant(ranking.ideal, from));
  }
};
struct BySmaller {
  static constexpr std::string_view kName = "RelP", kTrecFamily = "relative_P";
  static constexpr ShareOf kShareOf = ShareOf::smaller;
  static double divisor(const RankedLabels& ranking, std::size_t depth, double from) {
    return static_cast<double>(std::min(depth, count_relevant(ranking.ideal, from)));
  }
};

template <class Divisor>
class RelevantAtCutOff final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = Divisor::kName;
  static const OptionTable<CutOffOptions>& table() { return cut_off_table(); }

  RelevantAtCutOff(std::string name, const CutOffOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel), depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const double divisor = Divisor::divisor(ranking, depth_, from_);
    if (divisor == 0) return std::nullopt;
    const auto top = ranking.by_rank.first(std::min(depth_, ranking.by_rank.size()));
    return static_cast<double>(count_relevant_in(top, from_)) / divisor;
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    const double divisor = Divisor::divisor(ties.ranking, depth_, from_);
    if (divisor == 0) return std::nullopt;
    return additive_expected(ties, depth_, relevance(from_), kUndiscounted) / divisor;
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const double divisor = Divisor::divisor(ranking, depth_, from_);
    if (divisor == 0) return 0;
    return additive_swap(ranking.by_rank, depth_, i, j, relevance(from_), kUndiscounted) / divisor;
  }
  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::additive}; }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return share_swap_weights(from_, depth_, Divisor::kShareOf);
  }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? trec_cut_name(Divisor::kTrecFamily, depth_) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double from_;
  std::size_t depth_;
};

class Success final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "Success";
  static const OptionTable<CutOffOptions>& table() { return cut_off_table(); }

  Success(std::string name, const CutOffOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel), depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const auto top = ranking.by_rank.first(std::min(depth_, ranking.by_rank.size()));
    return count_relevant_in(top, from_) > 0 ? 1 : 0;
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    double failure = 1;
    for_each_group(ties, depth_, [&](std::size_t begin, std::size_t end) {
      const std::size_t size = end - begin;
      const std::size_t relevant =
          count_relevant_in(ties.ranking.by_rank.subspan(begin, size), from_);
      if (relevant) failure *= none_marked(size, relevant, std::min(end, depth_) - begin);
    });
    return 1 - failure;
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    if (i > j) std::swap(i, j);
    const bool upper = is_relevant(ranking.by_rank[i], from_);
    if (i >= depth_ || j < depth_ || upper == is_relevant(ranking.by_rank[j], from_)) return 0;
    const std::size_t found = count_relevant_in(ranking.by_rank.first(depth_), from_);
    return found == (upper ? 1U : 0U) ? (upper ? -1 : 1) : 0;
  }
  std::size_t depth() const override { return depth_; }
  std::string trec_name(const Convention& convention) const override {
    return from_ == convention.relevant_from ? trec_cut_name("success", depth_) : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double from_;
  std::size_t depth_;
};

struct RprecOptions {
  double rel = 1;
  double mult = 1;
};

class Rprec final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "Rprec";
  static const OptionTable<RprecOptions>& table() {
    static const auto table =
        OptionTable<RprecOptions>()
            .add("rel", &RprecOptions::rel, kRelevantHelp)
            .add("mult", &RprecOptions::mult,
                 "cut-off as a multiple of the number of relevant documents", above(0));
    return table;
  }

  Rprec(std::string name, const RprecOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel), multiple_(options.mult) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const std::size_t cut = cut_in(ranking);
    if (cut == 0) return std::nullopt;
    const auto top = ranking.by_rank.first(std::min(cut, ranking.by_rank.size()));
    return static_cast<double>(count_relevant_in(top, from_)) / static_cast<double>(cut);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    const std::size_t cut = cut_in(ties.ranking);
    if (cut == 0) return std::nullopt;
    return additive_expected(ties, cut, relevance(from_), kUndiscounted) / static_cast<double>(cut);
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const std::size_t cut = cut_in(ranking);
    if (cut == 0) return 0;
    return additive_swap(ranking.by_rank, cut, i, j, relevance(from_), kUndiscounted) /
           static_cast<double>(cut);
  }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::additive}; }
  std::string trec_name(const Convention& convention) const override {
    if (from_ != convention.relevant_from) return {};
    return multiple_ == 1 ? "Rprec" : trec_fraction_name("Rprec_mult", multiple_);
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  std::size_t cut_in(const RankedLabels& ranking) const {
    const std::size_t relevant = count_relevant(ranking.ideal, from_);
    return static_cast<std::size_t>(multiple_ * static_cast<double>(relevant) + 0.9);
  }

  double from_;
  double multiple_;
};

}  // namespace

const Entry<Measure> kPrecision =
    define<RelevantAtCutOff<ByCutOff>>("precision: share of the first k that is relevant", "");
const Entry<Measure> kRecall = define<RelevantAtCutOff<ByRelevant>>(
    "recall: share of the relevant documents in the first k", "");
const Entry<Measure> kRelativePrecision = define<RelevantAtCutOff<BySmaller>>(
    "precision relative to the best possible at k (trec_eval's relative_P)", "");
const Entry<Measure> kSuccess =
    define<Success>("1 when a relevant document is among the first k (1 - WTA at k = 1)", "");
const Entry<Measure> kRPrecision =
    define<Rprec>("precision at the number of relevant documents", "Buckley00");

}  // namespace podium
