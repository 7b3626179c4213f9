// Measures on pairs of judged, retrieved documents.
//   AUC     = pairs (relevant, not relevant) in the right order / all such pairs
//   PairAcc = pairs of different grades in the right order / all such pairs (1 − pairwise error)
//   tau     = Kendall's τ-b of scores and labels: (C − D) / √((n₀ − score ties)(n₀ − label ties))
// A pair of tied documents counts a half in AUC and PairAcc. For tau, value() is that of an order
// without ties, expected() the mean of those, and tied() is τ-b. Undefined without a pair to order.
#include <cmath>
#include <vector>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

// Counts documents by grade, and those with a grade below a given one.
class GradeCounts {
 public:
  explicit GradeCounts(std::span<const float> ideal) {
    for (const float label : ideal)
      if (grades_.empty() || grades_.back() != label) grades_.push_back(label);
    sums_.assign(grades_.size() + 1, 0);
  }

  // Grades are numbered from the best, 0.
  std::size_t index(float label) const {
    return static_cast<std::size_t>(
        std::lower_bound(grades_.begin(), grades_.end(), label, std::greater<>()) -
        grades_.begin());
  }
  std::size_t grades() const { return grades_.size(); }
  void add(std::size_t grade) {
    for (std::size_t i = grade + 1; i < sums_.size(); i += i & (~i + 1)) ++sums_[i];
  }
  // Documents of the best `end` grades.
  std::uint64_t among_first(std::size_t end) const {
    std::uint64_t sum = 0;
    for (std::size_t i = end; i > 0; i -= i & (~i + 1)) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<float> grades_;
  std::vector<std::uint64_t> sums_;  // a Fenwick tree
};

struct PairCounts {
  double concordant = 0;  // the better grade is ranked above
  double discordant = 0;  // below
  double score_ties = 0;  // in one group
  double label_ties = 0;  // of one grade
  double both_ties = 0;   // of one grade in one group
  double all = 0;

  double undecided() const { return score_ties - both_ties; }  // tied, with different grades
};

constexpr double pairs_of(double n) {
  return n * (n - 1) / 2;
}

// Empty ends: no ties.
PairCounts count_pairs(const RankedLabels& ranking, std::span<const std::uint32_t> ends) {
  GradeCounts above(ranking.ideal);
  PairCounts pairs;
  std::vector<std::uint64_t> total(above.grades()), in_group(above.grades());
  std::uint64_t documents = 0;
  const std::size_t groups = ends.empty() ? ranking.by_rank.size() : ends.size();
  for (std::size_t g = 0, begin = 0; g < groups; ++g) {
    const std::size_t end = ends.empty() ? g + 1 : ends[g];
    std::uint64_t size = 0;
    for (std::size_t r = begin; r < end; ++r) {
      if (std::isnan(ranking.by_rank[r])) continue;
      const std::size_t grade = above.index(ranking.by_rank[r]);
      pairs.concordant += static_cast<double>(above.among_first(grade));
      pairs.discordant += static_cast<double>(documents - above.among_first(grade + 1));
      ++in_group[grade];
      ++size;
    }
    for (std::size_t r = begin; r < end; ++r) {
      if (std::isnan(ranking.by_rank[r])) continue;
      const std::size_t grade = above.index(ranking.by_rank[r]);
      above.add(grade);
      pairs.both_ties += pairs_of(static_cast<double>(in_group[grade]));
      total[grade] += std::exchange(in_group[grade], 0);
    }
    pairs.score_ties += pairs_of(static_cast<double>(size));
    documents += size;
    begin = end;
  }
  for (const std::uint64_t n : total) pairs.label_ties += pairs_of(static_cast<double>(n));
  pairs.all = pairs_of(static_cast<double>(documents));
  return pairs;
}

struct AucOptions {
  double rel = 1;
};

class Auc final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "AUC";
  static const OptionTable<AucOptions>& table() {
    static const auto table = OptionTable<AucOptions>().add("rel", &AucOptions::rel, kRelevantHelp);
    return table;
  }

  Auc(std::string name, const AucOptions& options)
      : DefinedMeasure(std::move(name)), from_(options.rel) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    Sum sum;
    for (const float label : ranking.by_rank) sum.add_group({&label, 1}, from_);
    return sum.auc();
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    Sum sum;
    for_each_group(ties, kWholeList, [&](std::size_t begin, std::size_t end) {
      sum.add_group(ties.ranking.by_rank.subspan(begin, end - begin), from_);
    });
    return sum.auc();
  }
  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const std::span<const float> labels = ranking.by_rank;
    if (i > j) std::swap(i, j);
    if (i == j || std::isnan(labels[i]) || std::isnan(labels[j]))
      return Measure::swap_delta(ranking, i, j);
    const bool upper = is_relevant(labels[i], from_);
    if (upper == is_relevant(labels[j], from_)) return 0;
    double relevant = 0, judged = 0, between = 0;
    for (std::size_t r = 0; r < labels.size(); ++r) {
      if (std::isnan(labels[r])) continue;
      ++judged;
      relevant += is_relevant(labels[r], from_);
      between += i < r && r < j;
    }
    // The pair itself, and one pair with every document between them.
    const double gained = (1 + between) / (relevant * (judged - relevant));
    return upper ? -gained : gained;
  }
  MeasureForm form() const override {
    return {.kind = MeasureForm::Kind::pairs, .relevant_from = from_};
  }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return auc_swap_weights(from_);
  }
  LabelUse label_use() const override { return {.relevant_from = from_}; }

 private:
  struct Sum {
    double relevant = 0, others = 0, ordered = 0;

    void add_group(std::span<const float> group, double from) {
      double good = 0, bad = 0;
      for (const float label : group) {
        good += is_relevant(label, from);
        bad += static_cast<double>(label) < from;
      }
      ordered += relevant * bad + good * bad / (group.size() > 1 ? 2 : 1);
      relevant += good;
      others += bad;
    }
    std::optional<double> auc() const {
      if (relevant == 0 || others == 0) return std::nullopt;
      return ordered / (relevant * others);
    }
  };

  double from_;
};

struct PairAccuracyOptions {};

class PairAccuracy final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "PairAcc";
  static const OptionTable<PairAccuracyOptions>& table() {
    static const OptionTable<PairAccuracyOptions> table;
    return table;
  }

  PairAccuracy(std::string name, const PairAccuracyOptions&) : DefinedMeasure(std::move(name)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    return accuracy(count_pairs(ranking, {}));
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    return accuracy(count_pairs(ties.ranking, ties.ends));
  }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return pair_accuracy_swap_weights();
  }

 private:
  static std::optional<double> accuracy(const PairCounts& pairs) {
    const double different = pairs.all - pairs.label_ties;
    if (different == 0) return std::nullopt;
    return (pairs.concordant + pairs.undecided() / 2) / different;
  }
};

class KendallTau final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "tau";
  static const OptionTable<PairAccuracyOptions>& table() {
    static const OptionTable<PairAccuracyOptions> table;
    return table;
  }

  KendallTau(std::string name, const PairAccuracyOptions&) : DefinedMeasure(std::move(name)) {}

  std::optional<double> value(const RankedLabels& ranking) const override {
    const PairCounts pairs = count_pairs(ranking, {});
    return tau(pairs, pairs.all);
  }
  std::optional<double> expected(const TieGroups& ties) const override {
    const PairCounts pairs = count_pairs(ties.ranking, ties.ends);
    return tau(pairs, pairs.all);
  }
  std::optional<double> tied(const TieGroups& ties) const override {
    const PairCounts pairs = count_pairs(ties.ranking, ties.ends);
    return tau(pairs, pairs.all - pairs.score_ties);
  }
  std::shared_ptr<const RankWeights> swap_weights() const override { return tau_swap_weights(); }

 private:
  static std::optional<double> tau(const PairCounts& pairs, double score_pairs) {
    const double label_pairs = pairs.all - pairs.label_ties;
    if (score_pairs == 0 || label_pairs == 0) return std::nullopt;
    return (pairs.concordant - pairs.discordant) / std::sqrt(score_pairs) / std::sqrt(label_pairs);
  }
};

}  // namespace

const Entry<Measure> kAuc =
    define<Auc>("share of pairs (relevant, not relevant) in the right order", "Hanley82");
const Entry<Measure> kPairAccuracy =
    define<PairAccuracy>("share of pairs of different grades in the right order", "");
const Entry<Measure> kKendallTau =
    define<KendallTau>("Kendall's tau-b of scores and labels, from -1 to 1", "Kendall45");

}  // namespace podium
