// The pieces of DCG: the gain of a grade and the discount of a rank.
//
//   gain      exp2    2^g − 1            discount  log2   1 / log2(r + 2)          (r from 0)
//             linear  g                            letor  1, 1, then 1 / log2(r + 1)
//             a table "0;1;3;7;15", by grade; grades outside take its ends
// A negative grade gains nothing (linear, exp2), nor does an unjudged document (NaN).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/measure.h"

namespace podium {

class Gain {
 public:
  // Throws a usage Error for an unknown name or a table that does not ascend from a value ≥ 0.
  explicit Gain(std::string_view text);

  // With exp2, a shift scales all gains by 2^−shift.
  double operator()(float grade, double shift = 0) const {
    if (!(grade > 0)) return grade <= 0 ? at_zero_ : 0;
    if (kind_ == Kind::linear) return grade;
    const auto whole = static_cast<std::size_t>(grade < kSmall ? grade : 0.0F);
    if (shift == 0 && static_cast<float>(whole) == grade) return small_[whole];
    return general(grade, shift);
  }
  LabelUse label_use() const;
  // The shift that keeps exp2 gains up to this grade in range; 0 for all grades in common use.
  double shift_for(float top) const { return kind_ == Kind::exp2 && top > 512 ? top : 0; }

 private:
  enum class Kind { exp2, linear, table };
  static constexpr std::size_t kSmall = 32;

  double general(float grade, double shift) const;

  Kind kind_;
  double at_zero_ = 0;
  std::vector<double> table_;
  std::array<double, kSmall> small_ = {};  // gains of the grades 0 … 31
};

// The gains in a query whose labels are `ideal`: scaled if they would overflow.
class QueryGain {
 public:
  QueryGain(const Gain& gain, std::span<const float> ideal)
      : gain_(gain), shift_(ideal.empty() ? 0 : gain.shift_for(ideal.front())) {}

  double operator()(float grade) const { return gain_(grade, shift_); }

 private:
  const Gain& gain_;
  double shift_;
};

class Discount {
 public:
  explicit Discount(RankDiscount discount);

  double operator()(std::size_t rank) const { return rank < kTabled ? table_[rank] : beyond(rank); }

 private:
  static constexpr std::size_t kTabled = 4096;
  using Table = std::array<double, kTabled>;
  static Table make_table(std::size_t offset);
  double beyond(std::size_t rank) const;

  const double* table_;
  std::size_t offset_;  // 1 / log2(rank + offset)
};

constexpr const char* kGainHelp = "gain of a grade: exp2, linear, or a table such as 0;1;3;7;15";
constexpr const char* kNdcgGainHelp =
    "gain of a grade in nDCG: exp2, linear, or a table such as 0;1;3;7;15";
constexpr const char* kDiscountHelp =
    "discount of a rank: log2, or letor (ranks 1 and 2 undiscounted)";

}  // namespace podium
