// |ΔM| for swapping ranks i < j, for measures that count pairs in the right order.
//
// tau and PairAcc: with S = Σ over pairs of sgn(grade above − grade below),
//   ΔS = 2 (Σ_{i<r<j} sgn(y_j − y_r) − sgn(y_i − y_r) − sgn(y_i − y_j))
// tau is S over a constant, PairAcc ½ S over another. The sum for y_j comes from a Fenwick tree
// over the grades between i and j: O(n log grades) for all partners of a rank. AUC: the pair itself
// and one pair with every document between them, (j − i) over all pairs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

// The number of added documents with a lower grade, minus those with a higher one.
class GradeBalance {
 public:
  explicit GradeBalance(std::size_t grades) : sums_(grades + 1) {}
  void add(std::size_t grade) {
    ++all_;
    for (std::size_t g = grade + 1; g < sums_.size(); g += g & (~g + 1)) ++sums_[g];
  }
  double around(std::size_t grade) const { return through(grade) - (all_ - through(grade + 1)); }

 private:
  double through(std::size_t end) const {
    double sum = 0;
    for (std::size_t g = end; g > 0; g -= g & (~g + 1)) sum += sums_[g];
    return sum;
  }
  std::vector<double> sums_;  // a Fenwick tree, lowest grade first
  double all_ = 0;
};

double grade_sign(std::uint32_t a, std::uint32_t b) {
  return a > b ? 1 : a < b ? -1 : 0;
}

class RankedOrder final : public RankedWeights {
 public:
  RankedOrder(std::span<const float> by_rank, double factor) : factor_(factor) {
    std::vector<float> grades(by_rank.begin(), by_rank.end());
    std::sort(grades.begin(), grades.end());
    grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
    grades_ = grades.size();
    for (const float label : by_rank)
      grade_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(grades.begin(), grades.end(), label) - grades.begin()));
  }

  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    GradeBalance between(grades_);
    const std::uint32_t own = grade_[pivot];
    double around_own = 0;
    for (std::size_t j = pivot + 1; j < grade_.size(); ++j) {
      const double gained = between.around(grade_[j]) - around_own - grade_sign(own, grade_[j]);
      weight[j] = own == grade_[j] ? 0 : factor_ * std::abs(2 * gained);
      between.add(grade_[j]);
      around_own += grade_sign(own, grade_[j]);
    }
  }

 private:
  double factor_;
  std::size_t grades_;
  std::vector<std::uint32_t> grade_;  // index of the grade, by rank
};

class OrderWeights final : public RankWeights {
 public:
  enum class Measure { tau, pair_accuracy };
  explicit OrderWeights(Measure measure) : measure_(measure) {}

  // The factor of ΔS.
  std::optional<double> factor(std::span<const float> ideal) const override {
    const auto pairs_of = [](std::size_t n) {
      return 0.5 * static_cast<double>(n) * (static_cast<double>(n) - 1);
    };
    const double all = pairs_of(ideal.size());
    double different = all;
    for (std::size_t begin = 0, end = 0; begin < ideal.size(); begin = end) {
      while (end < ideal.size() && ideal[end] == ideal[begin]) ++end;
      different -= pairs_of(end - begin);
    }
    if (!(different > 0)) return std::nullopt;
    return measure_ == Measure::tau ? 1 / std::sqrt(all) / std::sqrt(different) : 0.5 / different;
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    return std::make_unique<RankedOrder>(by_rank, factor);
  }
  std::size_t depth() const override { return podium::Measure::kWholeList; }

 private:
  Measure measure_;
};

class RankedAuc final : public RankedWeights {
 public:
  RankedAuc(std::span<const float> by_rank, double factor, double from) : factor_(factor) {
    for (const float label : by_rank) relevant_.push_back(is_relevant(label, from) ? 1 : 0);
  }
  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    for (std::size_t j = pivot + 1; j < relevant_.size(); ++j)
      weight[j] =
          factor_ * static_cast<double>(j - pivot) * std::abs(relevant_[pivot] - relevant_[j]);
  }

 private:
  double factor_;
  std::vector<double> relevant_;
};

class AucWeights final : public RankWeights {
 public:
  explicit AucWeights(double from) : from_(from) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    const std::size_t relevant = count_relevant(ideal, from_);
    if (relevant == 0 || relevant == ideal.size()) return std::nullopt;
    return 1 / (static_cast<double>(relevant) * static_cast<double>(ideal.size() - relevant));
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    return std::make_unique<RankedAuc>(by_rank, factor, from_);
  }
  std::size_t depth() const override { return Measure::kWholeList; }

 private:
  double from_;
};

}  // namespace

std::shared_ptr<const RankWeights> tau_swap_weights() {
  return std::make_shared<OrderWeights>(OrderWeights::Measure::tau);
}
std::shared_ptr<const RankWeights> pair_accuracy_swap_weights() {
  return std::make_shared<OrderWeights>(OrderWeights::Measure::pair_accuracy);
}
std::shared_ptr<const RankWeights> auc_swap_weights(double from) {
  return std::make_shared<AucWeights>(from);
}

}  // namespace podium
