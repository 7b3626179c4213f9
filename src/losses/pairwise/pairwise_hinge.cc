// RankSVM's loss [Joachims02]: the hinge over all pairs of documents of different grades,
//
//   L = (1/P) Σ_{y_i > y_j} max(0, 1 − (s_i − s_j)),
//
// P the number of such pairs, or 1 with pairs=sum.
//
// In score order the documents within the margin of a document form a sliding window, and a Fenwick
// tree over grades counts those of lower (higher) grade in it: O(n log n) for any number of grades.
#include "losses/pairwise/pairwise_hinge.h"

#include <algorithm>
#include <numeric>

#include "core/sort_scores.h"
#include "losses/catalog.h"
#include "losses/pairwise/preferences.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<PairwiseHingeOptions>& pairwise_hinge_table() {
  static const auto options = OptionTable<PairwiseHingeOptions>().add(
      "pairs", &PairwiseHingeOptions::pairs, kPairScaleHelp, pair_scale_choices());
  return options;
}

// Counts, and sums of scores, by grade; prefix totals in O(log grades).
class Fenwick {
 public:
  explicit Fenwick(std::size_t grades) : count_(grades + 1), sum_(grades + 1) {}
  void add(std::size_t grade, double score) {
    for (std::size_t g = grade + 1; g < count_.size(); g += g & (~g + 1)) {
      count_[g] += 1;
      sum_[g] += score;
    }
  }
  struct Totals {
    double count = 0, sum = 0;
  };
  Totals below(std::size_t grade) const {
    Totals totals;
    for (std::size_t g = grade; g > 0; g -= g & (~g + 1)) {
      totals.count += count_[g];
      totals.sum += sum_[g];
    }
    return totals;
  }

 private:
  std::vector<double> count_, sum_;
};

std::vector<std::pair<double, std::uint32_t>> ascending(std::span<const double> scores) {
  std::vector<ScoreKey> keys(scores.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {descending_key(scores[i]), static_cast<std::uint32_t>(i)};
  sort_keys(keys);
  std::vector<std::pair<double, std::uint32_t>> order;
  order.reserve(keys.size());
  for (std::size_t at = keys.size(); at-- > 0;)
    order.emplace_back(score_of(keys[at].score), keys[at].place);
  return order;
}

class BoundPairwiseHinge final : public BoundLoss {
 public:
  BoundPairwiseHinge(const Dataset& data, PairScale scale) : data_(data) {
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto labels = data.labels(q);
      std::vector<float> grades(labels.begin(), labels.end());
      std::sort(grades.begin(), grades.end());
      double same = 0;  // pairs of equal grade
      for (std::size_t begin = 0, end = 0; begin < grades.size(); begin = end) {
        while (end < grades.size() && grades[end] == grades[begin]) ++end;
        const auto n = static_cast<double>(end - begin);
        same += n * (n - 1) / 2;
      }
      grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
      grade_count_.push_back(grades.size());
      for (const float y : labels)
        grade_.push_back(static_cast<std::uint32_t>(
            std::lower_bound(grades.begin(), grades.end(), y) - grades.begin()));
      const auto n = static_cast<double>(labels.size());
      const double pairs = n * (n - 1) / 2 - same;
      scale_.push_back(data.query_weight(q) *
                       (scale == PairScale::average && pairs > 0 ? 1 / pairs : 1.0));
    }
  }

  bool informative(std::size_t q) const override { return grade_count_[q] > 1; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const std::size_t n = scores.size();
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const auto grade = std::span(grade_).subspan(data_.begin(q), n);
    const std::size_t grades = grade_count_[q];
    const auto order = ascending(scores);
    double value = 0;
    const auto put = [&](std::uint32_t i, double count, double sign) {
      out.first[i] += sign * count * scale_[q];
      if (!out.second.empty()) out.second[i] += count * scale_[q];
    };
    // For each i, from the top: documents j of lower grade with s_j > s_i − 1.
    Fenwick lower(grades);
    std::size_t entered = n;
    for (std::size_t at = n; at-- > 0;) {
      const auto [score, i] = order[at];
      for (; entered > 0 && order[entered - 1].first > score - 1; --entered)
        lower.add(grade[order[entered - 1].second], order[entered - 1].first);
      const auto [count, sum] = lower.below(grade[i]);
      value += count * (1 - score) + sum;
      put(i, count, -1);
    }
    // For each j, from the bottom: documents i of higher grade with s_i < s_j + 1. Grades are
    // reversed.
    Fenwick higher(grades);
    entered = 0;
    for (std::size_t at = 0; at < n; ++at) {
      const auto [score, j] = order[at];
      for (; entered < n && order[entered].first < score + 1; ++entered)
        higher.add(grades - 1 - grade[order[entered].second], order[entered].first);
      put(j, higher.below(grades - 1 - grade[j]).count, 1);
    }
    return value * scale_[q];
  }

 private:
  const Dataset& data_;
  std::vector<std::uint32_t> grade_;      // of each document: index among its query's grades
  std::vector<std::size_t> grade_count_;  // of each query
  std::vector<double> scale_;
};

class PairwiseHinge final : public Loss {
 public:
  PairwiseHinge(std::string name, PairwiseHingeOptions options)
      : name_(std::move(name)), options_(options) {}
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::convex, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundPairwiseHinge>(data, options_.pairs);
  }
  std::unique_ptr<const Loss> over_preferences() const override {
    return preference_loss({.function = name_,
                            .kernel = pair_kernels().hinge,
                            .shape = {.margin = 1},
                            .scale = options_.pairs});
  }

 private:
  std::string name_;
  PairwiseHingeOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> pairwise_hinge_loss(const PairwiseHingeOptions& options) {
  return make_typed<PairwiseHinge>("pairwise-hinge", pairwise_hinge_table(), options);
}

const Entry<Loss> kPairwiseHinge = {
    "pairwise-hinge", "hinge over all pairs of different grades (RankSVM)", "Joachims02",
    []() -> const std::vector<Field>& { return pairwise_hinge_table().fields(); },
    [](const Settings& settings) {
      return pairwise_hinge_loss(pairwise_hinge_table().read(settings));
    }};

}  // namespace podium
