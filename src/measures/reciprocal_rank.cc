// Reciprocal rank: RR@k = 1/(r + 1) for the first relevant document's rank r < k, else 0. Undefined
// without a relevant document.
//
// Under ties: in a group of t documents, r of them relevant, the first relevant one is the j-th
// (from 0) with probability C(t−j−1, r−1)/C(t, r), which is computed from one j to the next by a
// ratio.
#include <algorithm>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "measures/swap_weights.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

struct RrOptions {
  double rel = 1;
  std::int64_t k = 0;
};

class ReciprocalRank final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "RR";
  static const OptionTable<RrOptions>& table() {
    static const auto table = OptionTable<RrOptions>()
                                  .add("rel", &RrOptions::rel, kRelevantHelp)
                                  .add("k", &RrOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  ReciprocalRank(std::string name, const RrOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel), depth_(cut_off(options.k)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    if (count_relevant(ranking.ideal, from_) == 0) return std::nullopt;
    return at(first_relevant(ranking.by_rank, 0));
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    const std::span<const float> labels = ties.ranking.by_rank;
    if (count_relevant(ties.ranking.ideal, from_) == 0) return std::nullopt;
    const std::size_t first = first_relevant(labels, 0);
    double sum = 0;
    for_each_group(ties, std::min(depth_, labels.size()), [&](std::size_t begin, std::size_t end) {
      if (first < begin || first >= end) return;
      const std::size_t relevant = count_relevant_in(labels.subspan(begin, end - begin), from_);
      double left = static_cast<double>(end - begin);
      double first_here = static_cast<double>(relevant) / left;
      for (std::size_t r = begin; r < std::min(end, depth_) && first_here > 0; ++r) {
        sum += first_here * at(r);
        if (left == 1) break;
        first_here *= (left - static_cast<double>(relevant)) / (left - 1);
        --left;
      }
    });
    return sum;
  }

  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const std::span<const float> labels = ranking.by_rank;
    if (i > j) std::swap(i, j);
    const bool upper = is_relevant(labels[i], from_);
    if (upper == is_relevant(labels[j], from_)) return 0;
    const std::size_t first = first_relevant(labels, 0);
    if (!upper) return i < first ? at(i) - at(first) : 0;
    return i == first ? at(std::min(j, first_relevant(labels, i + 1))) - at(i) : 0;
  }

  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override {
    if (depth_ != kWholeList) return {};
    return {.kind = MeasureForm::Kind::first, .relevant_from = from_};
  }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return reciprocal_rank_swap_weights(from_, depth_);
  }
  std::string trec_name(const Convention& convention) const override {
    return depth_ == kWholeList && from_ == convention.relevant_from ? "recip_rank" : "";
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  double at(std::size_t rank) const {
    return rank < depth_ ? 1 / static_cast<double>(rank + 1) : 0;
  }

  // kWholeList if there is none.
  std::size_t first_relevant(std::span<const float> labels, std::size_t begin) const {
    for (std::size_t r = begin; r < labels.size(); ++r)
      if (is_relevant(labels[r], from_)) return r;
    return kWholeList;
  }

  double from_;
  std::size_t depth_;
};

}  // namespace

const Entry<Measure> kReciprocalRank = define<ReciprocalRank>(
    "reciprocal rank of the first relevant document (its mean is MRR)", "Voorhees99");

}  // namespace podium
