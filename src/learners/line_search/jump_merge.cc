#include "learners/line_search/jump_merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace podium {
namespace {

constexpr std::size_t kFewJumps = 256;  // are sorted
constexpr std::size_t kVeryMany = 10'000, kSampled = 61;
constexpr int kBucketBits = 11;
constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;

// A jump of the sum.
struct Step {
  double alpha;
  std::int64_t after;
};

// The nearest whole number of steps, in units.
std::int64_t to_step(std::int64_t value) {
  return (value + kUnitsPerStep / 2) & -kUnitsPerStep;
}

std::uint64_t ascending_key(double alpha) {
  const auto bits = std::bit_cast<std::uint64_t>(alpha);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

using JumpSpans = std::vector<std::span<const Jump>>;

std::size_t count(const JumpSpans& lists) {
  std::size_t jumps = 0;
  for (const auto list : lists) jumps += list.size();
  return jumps;
}

// Buckets of about equally many jumps, as sampled: with t the distance from the middle one in units
// of the typical distance, by 1/(1 + |t|). Every operation is monotone, rounding included, and so
// is the whole.
class SampledBuckets {
 public:
  explicit SampledBuckets(const JumpSpans& lists) {
    std::vector<double> alphas;
    for (const auto list : lists)
      for (std::size_t i = 0; i < list.size(); i += kSampled) alphas.push_back(list[i].alpha);
    const auto part = [&](std::size_t quarters) {
      const auto at = alphas.begin() + static_cast<std::ptrdiff_t>(quarters * alphas.size() / 4);
      std::nth_element(alphas.begin(), at, alphas.end());
      return *at;
    };
    middle_ = part(2);
    unit_ = std::max(part(3) - part(1), std::numeric_limits<double>::min());
  }

  std::size_t operator()(const Jump& jump) const {
    constexpr double kHalf = kBuckets / 2 - 1;
    const double t = jump.alpha - middle_;
    const auto from_end = static_cast<std::size_t>(unit_ / (unit_ + std::abs(t)) * kHalf);
    return t < 0 ? from_end : kBuckets - 1 - from_end;
  }

 private:
  double middle_, unit_;
};

// Buckets of equal width in the bits of α.
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

class BestSteps {
 public:
  explicit BestSteps(std::int64_t start) { see(start); }

  // Collects, in ascending α, every jump from or to the best value, and some others.
  void search(const JumpLists& lists, std::int64_t start) {
    const JumpSpans spans(lists.begin(), lists.end());
    const std::size_t jumps = count(spans);
    if (jumps == 0) return;
    if (jumps < kVeryMany) return refine(spans, start);
    std::vector<Jump> inside;
    for (const Part& part : distribute(spans, start, SampledBuckets(spans), inside))
      look_into(std::span(inside).subspan(part.begin, part.size), part);
  }

  std::vector<Step> steps;

 private:
  struct Bucket {
    std::int64_t change = 0;
    std::int64_t rise = 0;  // of the positive changes
    std::uint64_t size = 0;
  };
  struct Part {
    std::size_t begin, size;
    std::int64_t start, rise;
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  // All jumps of a stretch of α that starts with this value.
  void refine(const JumpSpans& lists, std::int64_t start) {
    const BitBuckets buckets(lists);
    std::vector<Jump> inside;
    for (const Part& part : distribute(lists, start, buckets, inside)) {
      const std::span<Jump> jumps = std::span(inside).subspan(part.begin, part.size);
      if (buckets.has_one_alpha_each())
        sort(jumps, part.start);
      else
        look_into(jumps, part);
    }
  }

  void look_into(std::span<Jump> jumps, const Part& part) {
    if (part.start + part.rise < enough_) return;
    if (jumps.size() <= kFewJumps)
      sort(jumps, part.start);
    else
      refine({jumps}, part.start);
  }

  // The buckets that may reach the best value, their jumps bucket by bucket.
  template <class BucketOf>
  std::vector<Part> distribute(const JumpSpans& lists, std::int64_t start,
                               const BucketOf& bucket_of, std::vector<Jump>& inside) {
    std::vector<Bucket> buckets(kBuckets);
    std::vector<std::uint16_t> bucket_of_jump;
    bucket_of_jump.reserve(count(lists));
    for (const auto list : lists)
      for (const Jump& jump : list) {
        const std::size_t b = bucket_of(jump);
        bucket_of_jump.push_back(static_cast<std::uint16_t>(b));
        buckets[b].change += jump.change;
        buckets[b].rise += std::max<std::int64_t>(jump.change, 0);
        ++buckets[b].size;
      }
    std::vector<std::uint32_t> part_of(kBuckets, kNowhere);
    std::vector<Part> parts = promising(start, buckets, part_of);
    inside.resize(parts.empty() ? 0 : parts.back().begin + parts.back().size);
    std::vector<std::size_t> at;
    for (const Part& part : parts) at.push_back(part.begin);
    auto bucket = bucket_of_jump.begin();
    for (const auto list : lists)
      for (const Jump& jump : list)
        if (const std::uint32_t part = part_of[*bucket++]; part != kNowhere)
          inside[at[part]++] = jump;
    return parts;
  }

  // Buckets that may reach the best value.
  std::vector<Part> promising(std::int64_t start, const std::vector<Bucket>& buckets,
                              std::vector<std::uint32_t>& part_of) {
    std::int64_t value = start;
    for (const Bucket& bucket : buckets) see(value += bucket.change);
    value = start;
    std::vector<Part> parts;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const Bucket& bucket = buckets[b];
      if (bucket.size && value + bucket.rise >= enough_) {
        part_of[b] = static_cast<std::uint32_t>(parts.size());
        parts.push_back({begin, bucket.size, value, bucket.rise});
        begin += bucket.size;
      }
      value += bucket.change;
    }
    return parts;
  }

  void sort(std::span<Jump> jumps, std::int64_t value) {
    std::sort(jumps.begin(), jumps.end(),
              [](const Jump& x, const Jump& y) { return x.alpha < y.alpha; });
    for (std::size_t i = 0; i < jumps.size();) {
      const double alpha = jumps[i].alpha;
      for (; i < jumps.size() && jumps[i].alpha == alpha; ++i) value += jumps[i].change;
      steps.push_back({alpha, value});
      see(value);
    }
  }

  void see(std::int64_t value) { enough_ = std::max(enough_, to_step(value) - kUnitsPerStep / 2); }

  std::int64_t enough_ = std::numeric_limits<std::int64_t>::min();  // rounds to the best step seen
};

// Jumps of the sum to its pieces' values, in steps.
std::vector<FixedPiece> join(const std::vector<Step>& steps, std::int64_t start,
                             const LineEnds& ends) {
  std::vector<FixedPiece> pieces = {{ends.low, ends.high, to_step(start)}};
  for (const Step& step : steps) {
    const std::int64_t value = to_step(step.after);
    if (value == pieces.back().value) continue;
    pieces.back().high = step.alpha;
    pieces.push_back({step.alpha, ends.high, value});
  }
  return pieces;
}

}  // namespace

// Wherever the sum is best, the jumps on both sides have been collected: a bucket that starts or
// ends with the best value can reach it.
FixedPiece best_piece(const JumpLists& lists, std::int64_t start, const LineEnds& ends) {
  BestSteps found(start);
  found.search(lists, start);
  const std::vector<FixedPiece> pieces = join(found.steps, start, ends);
  const std::int64_t best =
      std::max_element(pieces.begin(), pieces.end(), [](const auto& x, const auto& y) {
        return x.value < y.value;
      })->value;
  const FixedPiece* chosen = nullptr;
  for (const FixedPiece& piece : pieces) {
    if (piece.value != best) continue;
    if (piece.low < ends.current && ends.current < piece.high) return piece;
    if (!chosen || piece.high - piece.low > chosen->high - chosen->low) chosen = &piece;
  }
  return *chosen;
}

std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start,
                                   const LineEnds& ends) {
  std::vector<Jump> jumps;
  for (const std::vector<Jump>& list : lists) jumps.insert(jumps.end(), list.begin(), list.end());
  std::sort(jumps.begin(), jumps.end(),
            [](const Jump& x, const Jump& y) { return x.alpha < y.alpha; });
  std::vector<Step> steps;
  std::int64_t value = start;
  for (const Jump& jump : jumps) {
    value += jump.change;
    if (steps.empty() || steps.back().alpha != jump.alpha) steps.push_back({jump.alpha, value});
    steps.back().after = value;
  }
  return join(steps, start, ends);
}

}  // namespace podium
