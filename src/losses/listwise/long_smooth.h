// SmoothRank's soft choices for a long list: sums of the bell e^{−(s_i − t_r)²/σ} over documents,
// for all ranks, and over ranks, for all documents, by solvers/difference_sums.h. O(n) for each
// distinct value of a document, whereas visiting all documents for each rank takes O(n · ranks).
#pragma once

#include <span>
#include <vector>

#include "podium/loss.h"
#include "solvers/difference_sums.h"

namespace podium {

class LongSmooth {
 public:
  // Whether that is faster: for a long list whose documents have few distinct values, and scores
  // that are close enough to each other.
  static bool applies(std::span<const double> scores, std::span<const double> values, double sigma,
                      std::size_t ranks);

  LongSmooth(std::span<const double> scores, std::span<const double> values, double sigma,
             StopCheck stop);

  // The expected value of the soft choice around the score of document i.
  double expected(std::size_t i) const { return expected_[i]; }
  // Adds the derivatives of Σ_i slope_i · expected(i); slopes ≤ 0.
  void differentiate(std::span<const double> slopes, Derivatives out) const;

 private:
  DifferenceSums::Range everything() const { return {0, values_.size()}; }
  void add_first(std::span<const double> charges, std::span<double> first) const;
  void add_second(std::span<const double> charges, std::span<double> second) const;

  std::span<const double> values_;
  double scale_;  // √σ: points are scores over it
  DifferenceSums sums_;
  DifferenceSums::Table bell_, slope_;
  std::vector<double> total_, expected_;  // Σ of bells, and their mean value, by document
};

}  // namespace podium
