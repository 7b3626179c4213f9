// Counts jumps into buckets of α, in ascending order, and tracks the best value.
//
// Values are compared in steps of kUnitsPerStep units: values that differ only by the rounding of
// terms are equal, except for rare values at the edge of a step.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "line_search/line_query.h"

namespace podium {

constexpr int kStepBits = 12;
constexpr std::int64_t kUnitsPerStep = std::int64_t{1} << kStepBits;

// The nearest whole number of steps, in units.
inline std::int64_t to_step(std::int64_t value) {
  return (value + kUnitsPerStep / 2) & -kUnitsPerStep;
}

// A jump of the sum.
struct SumStep {
  double alpha;
  std::int64_t after;
};

class BestSeen {
 public:
  void see(std::int64_t value) { enough_ = std::max(enough_, to_step(value) - kUnitsPerStep / 2); }
  // Whether a value, in steps, is at least the best seen.
  bool can_be(std::int64_t value) const { return value >= enough_; }

 private:
  std::int64_t enough_ = std::numeric_limits<std::int64_t>::min();
};

struct JumpBucket {
  std::int64_t change = 0;
  std::int64_t rise = 0;  // sum of the positive changes
  std::int64_t size = 0;

  void add(const Jump& jump) {
    change += jump.change;
    rise += std::max<std::int64_t>(jump.change, 0);
    ++size;
  }
  void operator+=(const JumpBucket& other) {
    change += other.change;
    rise += other.rise;
    size += other.size;
  }
};

constexpr int kBucketBits = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;

using JumpSpans = std::vector<std::span<const Jump>>;

inline std::size_t count(const JumpSpans& lists) {
  std::size_t jumps = 0;
  for (const auto list : lists) jumps += list.size();
  return jumps;
}

inline std::uint64_t ascending_key(double alpha) {
  const auto bits = std::bit_cast<std::uint64_t>(alpha);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

inline double alpha_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key & ~sign : ~key);
}

// The positions of every n-th jump.
inline std::vector<double> sampled(const JumpSpans& lists, std::size_t stride) {
  std::vector<double> alphas;
  for (const auto list : lists)
    for (std::size_t i = 0; i < list.size(); i += stride) alphas.push_back(list[i].alpha);
  return alphas;
}

// Buckets with about equally many jumps, according to a sample: with t the distance from the middle
// one in units of the typical distance, by 1/(1 + |t|). Every operation is monotone, including
// rounding, and so is the result.
class SampledBuckets {
 public:
  explicit SampledBuckets(std::vector<double> alphas) {
    const auto part = [&](std::size_t quarters) {
      const auto at = alphas.begin() + static_cast<std::ptrdiff_t>(quarters * alphas.size() / 4);
      std::nth_element(alphas.begin(), at, alphas.end());
      return *at;
    };
    middle_ = part(2);
    unit_ = std::max(part(3) - part(1), std::numeric_limits<double>::min());
  }

  std::size_t operator()(const Jump& jump) const { return (*this)(jump.alpha); }
  std::size_t operator()(double alpha) const {
    const double t = alpha - middle_;
    const auto from_end = static_cast<std::size_t>(unit_ / (unit_ + std::abs(t)) * kHalf);
    return t < 0 ? from_end : kBuckets - 1 - from_end;
  }

  static constexpr double kHalf = kBuckets / 2 - 1;
  double middle() const { return middle_; }
  double unit() const { return unit_; }

 private:
  double middle_, unit_;
};

// Buckets of equal width in the bit patterns of α.
class BitBuckets {
 public:
  explicit BitBuckets(const JumpSpans& lists) {
    std::uint64_t highest = 0;
    for (const auto list : lists)
      for (const Jump& jump : list) {
        lowest_ = std::min(lowest_, ascending_key(jump.alpha));
        highest = std::max(highest, ascending_key(jump.alpha));
      }
    if (lowest_ < highest)
      shift_ = std::max(0, static_cast<int>(std::bit_width(highest - lowest_)) - kBucketBits);
  }

  std::size_t operator()(const Jump& jump) const {
    return (ascending_key(jump.alpha) - lowest_) >> shift_;
  }
  bool has_one_alpha_each() const { return shift_ == 0; }

 private:
  std::uint64_t lowest_ = std::numeric_limits<std::uint64_t>::max();
  int shift_ = 0;
};

}  // namespace podium
