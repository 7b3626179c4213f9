// Which part of the top was judged: Judged@k = judged/min(k, n) as in ir_measures, and Unjudged@k =
// unjudged/k, trec_eval's unj_k, where a negative grade means "in the pool, not judged". Defined
// for every query.
#include <algorithm>
#include <cmath>

#include "measures/additive.h"
#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/trec_names.h"

namespace podium {
namespace {

struct JudgedOptions {
  std::int64_t k = 0;
};

struct JudgedShare {
  static constexpr std::string_view kName = "Judged", kTrecFamily = "";
  static double count(float label) { return std::isnan(label) ? 0 : 1; }
  static double divisor(std::size_t n, std::size_t depth) {
    return static_cast<double>(std::min(n, depth));
  }
};
struct UnjudgedShare {
  static constexpr std::string_view kName = "Unjudged", kTrecFamily = "unj";
  static double count(float label) { return label >= 0 ? 0 : 1; }
  static double divisor(std::size_t n, std::size_t depth) {
    return static_cast<double>(depth == Measure::kWholeList ? n : depth);
  }
};

template <class Share>
class Judged final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = Share::kName;
  static const OptionTable<JudgedOptions>& table() {
    static const auto table =
        OptionTable<JudgedOptions>().add("k", &JudgedOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  Judged(std::string name, const JudgedOptions& options)
      : DefinedMeasure(std::move(name)), depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return divide(additive_value(ranking.by_rank, depth_, Share::count, kUndiscounted), ranking);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return divide(additive_expected(ties, depth_, Share::count, kUndiscounted), ties.ranking);
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    return divide(additive_swap(ranking.by_rank, depth_, i, j, Share::count, kUndiscounted),
                  ranking);
  }
  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override { return {.kind = MeasureForm::Kind::additive}; }
  std::string trec_name(const Convention&) const override {
    return Share::kTrecFamily.empty() ? "" : trec_cut_name(Share::kTrecFamily, depth_);
  }

 private:
  double divide(double count, const RankedLabels& ranking) const {
    const double divisor = Share::divisor(ranking.by_rank.size(), depth_);
    return divisor > 0 ? count / divisor : 0;
  }

  std::size_t depth_;
};

}  // namespace

const Entry<Measure> kJudged =
    define<Judged<JudgedShare>>("share of the first k that was judged", "");
const Entry<Measure> kUnjudged = define<Judged<UnjudgedShare>>(
    "unjudged documents among the first k, over k (trec_eval's unj)", "");

}  // namespace podium
