// Discounted cumulative gain [Jarvelin02].
//   DCG@k = Σ_{r<k} gain(label at r) · discount(r);  nDCG@k = DCG@k / DCG@k of the ideal order;
//   MeanNDCG = (1/n) Σ_{k=1}^{n} nDCG@k over a list of n documents (as in the LETOR tools).
// nDCG and MeanNDCG are undefined when no judged document has a gain.
#include <algorithm>
#include <vector>

#include "measures/additive.h"
#include "measures/catalog.h"
#include "measures/choices.h"
#include "measures/definition.h"
#include "measures/gain.h"
#include "measures/swap_weights.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

struct NdcgOptions {
  std::string gain = "exp2";
  RankDiscount discount = RankDiscount::log2;
  ShortLists short_lists = ShortLists::whole;
  std::int64_t k = 0;
};

class Ndcg final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "nDCG";
  static const OptionTable<NdcgOptions>& table() {
    static const auto table =
        OptionTable<NdcgOptions>()
            .add("gain", &NdcgOptions::gain, kGainHelp)
            .add("discount", &NdcgOptions::discount, kDiscountHelp, discount_choices())
            .add("short", &NdcgOptions::short_lists,
                 "a list with fewer than k documents: whole, or zero (LETOR 4.0)",
                 short_list_choices())
            .add("k", &NdcgOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  Ndcg(std::string name, const NdcgOptions& options)
      : DefinedMeasure(std::move(name)),
        options_(options),
        gain_(options.gain),
        discount_(options.discount),
        depth_(cut_off(options.k)),
        min_documents_(options.short_lists == ShortLists::zero && options.k > 0 ? depth_ : 0) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const double ideal = ideal_dcg(ranking);
    if (!(ideal > 0)) return std::nullopt;
    if (ranking.by_rank.size() < min_documents_) return 0;
    return additive_value(ranking.by_rank, depth_, gain_in(ranking), discount_) / ideal;
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    const double ideal = ideal_dcg(ties.ranking);
    if (!(ideal > 0)) return std::nullopt;
    if (ties.ranking.by_rank.size() < min_documents_) return 0;
    return additive_expected(ties, depth_, gain_in(ties.ranking), discount_) / ideal;
  }

  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const double ideal = ideal_dcg(ranking);
    if (!(ideal > 0) || ranking.by_rank.size() < min_documents_) return 0;
    return additive_swap(ranking.by_rank, depth_, i, j, gain_in(ranking), discount_) / ideal;
  }

  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override {
    return {.kind = MeasureForm::Kind::additive, .discount = discount_};
  }
  LabelUse label_use() const override { return gain_.label_use(); }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return ndcg_swap_weights(gain_, discount_, depth_, min_documents_);
  }
  std::string trec_name(const Convention& convention) const override {
    if (options_.gain != choice_name(gain_choices(), convention.gain) ||
        options_.discount != convention.discount || options_.short_lists != convention.short_lists)
      return {};
    return depth_ == kWholeList ? "ndcg" : trec_cut_name("ndcg_cut", depth_);
  }

 private:
  QueryGain gain_in(const RankedLabels& ranking) const { return {gain_, ranking.ideal}; }
  double ideal_dcg(const RankedLabels& ranking) const {
    return additive_value(ranking.ideal, depth_, gain_in(ranking), discount_);
  }

  NdcgOptions options_;
  Gain gain_;
  Discount discount_;
  std::size_t depth_;
  std::size_t min_documents_;
};

struct DcgOptions {
  std::string gain = "exp2";
  RankDiscount discount = RankDiscount::log2;
  std::int64_t k = 0;
};

class Dcg final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "DCG";
  static const OptionTable<DcgOptions>& table() {
    static const auto table =
        OptionTable<DcgOptions>()
            .add("gain", &DcgOptions::gain, kGainHelp)
            .add("discount", &DcgOptions::discount, kDiscountHelp, discount_choices())
            .add("k", &DcgOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  Dcg(std::string name, const DcgOptions& options)
      : DefinedMeasure(std::move(name)),
        gain_(options.gain),
        discount_(options.discount),
        depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return additive_value(ranking.by_rank, depth_, gain_, discount_);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return additive_expected(ties, depth_, gain_, discount_);
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    return additive_swap(ranking.by_rank, depth_, i, j, gain_, discount_);
  }
  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override {
    return {.kind = MeasureForm::Kind::additive, .discount = discount_};
  }
  LabelUse label_use() const override { return gain_.label_use(); }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return dcg_swap_weights(gain_, discount_, depth_);
  }

 private:
  Gain gain_;
  Discount discount_;
  std::size_t depth_;
};

struct MeanNdcgOptions {
  std::string gain = "exp2";
  RankDiscount discount = RankDiscount::log2;
};

// Additive as well: rank r weighs discount(r) · (1/n) Σ_{k>r} 1/DCG@k of the ideal order.
class MeanNdcg final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "MeanNDCG";
  static const OptionTable<MeanNdcgOptions>& table() {
    static const auto table =
        OptionTable<MeanNdcgOptions>()
            .add("gain", &MeanNdcgOptions::gain, kGainHelp)
            .add("discount", &MeanNdcgOptions::discount, kDiscountHelp, discount_choices());
    return table;
  }

  MeanNdcg(std::string name, const MeanNdcgOptions& options)
      : DefinedMeasure(std::move(name)), gain_(options.gain), discount_(options.discount) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const auto weights = rank_weights(ranking);
    if (weights.empty()) return undefined(ranking);
    return additive_value(ranking.by_rank, kWholeList, gain_in(ranking),
                          [&](std::size_t r) { return weights[r]; });
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    const auto weights = rank_weights(ties.ranking);
    if (weights.empty()) return undefined(ties.ranking);
    return additive_expected(ties, kWholeList, gain_in(ties.ranking),
                             [&](std::size_t r) { return weights[r]; });
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const auto weights = rank_weights(ranking);
    if (weights.empty()) return 0;
    return additive_swap(ranking.by_rank, kWholeList, i, j, gain_in(ranking),
                         [&](std::size_t r) { return weights[r]; });
  }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::additive}; }
  LabelUse label_use() const override { return gain_.label_use(); }

 private:
  QueryGain gain_in(const RankedLabels& ranking) const { return {gain_, ranking.ideal}; }
  bool has_gain(const RankedLabels& ranking) const {
    return !ranking.ideal.empty() && gain_in(ranking)(ranking.ideal.front()) > 0;
  }
  // If nothing was retrieved, the value is 0 if there was something to find.
  std::optional<double> undefined(const RankedLabels& ranking) const {
    return has_gain(ranking) ? std::optional<double>(0) : std::nullopt;
  }
  std::vector<double> rank_weights(const RankedLabels& ranking) const {
    const std::size_t n = ranking.by_rank.size();
    if (n == 0 || !has_gain(ranking)) return {};
    const auto gain = gain_in(ranking);
    std::vector<double> weights(n);
    double ideal = 0;
    for (std::size_t r = 0; r < n; ++r) {
      if (r < ranking.ideal.size()) ideal += gain(ranking.ideal[r]) * discount_(r);
      weights[r] = 1 / (ideal * static_cast<double>(n));
    }
    double tail = 0;
    for (std::size_t r = n; r-- > 0;) {
      tail += weights[r];
      weights[r] = tail * discount_(r);
    }
    return weights;
  }

  Gain gain_;
  Discount discount_;
};

}  // namespace

const Entry<Measure> kNdcg = define<Ndcg>(
    "normalised discounted cumulative gain: graded, rank-discounted, 1 for the ideal order",
    "Jarvelin02");
const Entry<Measure> kDcg = define<Dcg>("discounted cumulative gain, not normalised", "Jarvelin02");
const Entry<Measure> kMeanNdcg =
    define<MeanNdcg>("mean of nDCG@1 … nDCG@n over the list, as the LETOR tools report", "Qin13");

}  // namespace podium
