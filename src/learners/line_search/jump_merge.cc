#include "learners/line_search/jump_merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace podium {
namespace {

constexpr std::size_t kFewJumps = 256;  // are sorted
constexpr std::size_t kVeryMany = 10'000, kSampled = 61;
constexpr std::size_t kSampledOfRank = 256;
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

std::vector<Jump> joined(const JumpSpans& lists) {
  std::vector<Jump> jumps;
  jumps.reserve(count(lists));
  for (const auto list : lists) jumps.insert(jumps.end(), list.begin(), list.end());
  return jumps;
}

// All ranks' items.
template <class T>
std::vector<T> gathered(std::vector<T> mine, Communicator& comm) {
  if (comm.size() == 1) return mine;
  std::vector<T> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

// Every so-many-th jump's place.
std::vector<double> sample(const JumpSpans& lists, std::size_t stride) {
  std::vector<double> alphas;
  for (const auto list : lists)
    for (std::size_t i = 0; i < list.size(); i += stride) alphas.push_back(list[i].alpha);
  return alphas;
}

// Buckets of about equally many jumps, as sampled: with t the distance from the middle one in units
// of the typical distance, by 1/(1 + |t|). Every operation is monotone, rounding included, and so
// is the whole.
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
    for (const Part& part :
         distribute(spans, start, SampledBuckets(sample(spans, kSampled)), inside))
      look_into(std::span(inside).subspan(part.begin, part.size), part);
  }

  // The same for the jumps of all ranks, of which this one has `lists`. Only buckets' sums travel,
  // and the jumps of those that may reach the best value.
  void search(const JumpLists& lists, std::int64_t start, Communicator& comm) {
    const JumpSpans spans(lists.begin(), lists.end());
    auto jumps = static_cast<std::int64_t>(count(spans));
    comm.all_reduce_sum(std::span(&jumps, 1));
    if (jumps == 0) return;
    if (jumps < static_cast<std::int64_t>(kVeryMany)) {
      const std::vector<Jump> all = gathered<Jump>(joined(spans), comm);
      return refine({all}, start);
    }
    const std::size_t stride = 1 + count(spans) / kSampledOfRank;
    const SampledBuckets bucket_of(gathered<double>(sample(spans, stride), comm));
    std::vector<std::uint16_t> numbers;
    std::vector<Bucket> buckets = fill(spans, bucket_of, numbers);
    static_assert(sizeof(Bucket) == 3 * sizeof(std::int64_t));
    comm.all_reduce_sum(std::span(&buckets[0].change, 3 * buckets.size()));
    std::vector<std::uint32_t> part_of;
    const std::vector<Part> parts = promising(start, buckets, part_of);
    std::vector<Jump> mine, all, sorted;
    auto number = numbers.begin();
    for (const auto list : spans)
      for (const Jump& jump : list)
        if (part_of[*number++] != kNowhere) mine.push_back(jump);
    all = gathered<Jump>(mine, comm);
    numbers.clear();
    for (const Jump& jump : all) numbers.push_back(static_cast<std::uint16_t>(bucket_of(jump)));
    sort_into(parts, part_of, {all}, numbers, sorted);
    for (const Part& part : parts)
      look_into(std::span(sorted).subspan(part.begin, part.size), part);
  }

  std::vector<Step> steps;

 private:
  struct Bucket {
    std::int64_t change = 0;
    std::int64_t rise = 0;  // of the positive changes
    std::int64_t size = 0;
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
    std::vector<std::uint16_t> numbers;
    std::vector<std::uint32_t> part_of;
    std::vector<Part> parts = promising(start, fill(lists, bucket_of, numbers), part_of);
    sort_into(parts, part_of, lists, numbers, inside);
    return parts;
  }

  // And each jump's bucket.
  template <class BucketOf>
  static std::vector<Bucket> fill(const JumpSpans& lists, const BucketOf& bucket_of,
                                  std::vector<std::uint16_t>& numbers) {
    std::vector<Bucket> buckets(kBuckets);
    numbers.reserve(count(lists));
    for (const auto list : lists)
      for (const Jump& jump : list) {
        const std::size_t b = bucket_of(jump);
        numbers.push_back(static_cast<std::uint16_t>(b));
        buckets[b].change += jump.change;
        buckets[b].rise += std::max<std::int64_t>(jump.change, 0);
        ++buckets[b].size;
      }
    return buckets;
  }

  static void sort_into(const std::vector<Part>& parts, const std::vector<std::uint32_t>& part_of,
                        const JumpSpans& lists, const std::vector<std::uint16_t>& numbers,
                        std::vector<Jump>& inside) {
    inside.resize(parts.empty() ? 0 : parts.back().begin + parts.back().size);
    std::vector<std::size_t> at;
    for (const Part& part : parts) at.push_back(part.begin);
    auto number = numbers.begin();
    for (const auto list : lists)
      for (const Jump& jump : list)
        if (const std::uint32_t part = part_of[*number++]; part != kNowhere)
          inside[at[part]++] = jump;
  }

  // Buckets that may reach the best value.
  std::vector<Part> promising(std::int64_t start, const std::vector<Bucket>& buckets,
                              std::vector<std::uint32_t>& part_of) {
    part_of.assign(buckets.size(), kNowhere);
    std::int64_t value = start;
    for (const Bucket& bucket : buckets) see(value += bucket.change);
    value = start;
    std::vector<Part> parts;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const Bucket& bucket = buckets[b];
      if (bucket.size && value + bucket.rise >= enough_) {
        const auto size = static_cast<std::size_t>(bucket.size);
        part_of[b] = static_cast<std::uint32_t>(parts.size());
        parts.push_back({begin, size, value, bucket.rise});
        begin += size;
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

// Wherever the sum is best, the jumps on both sides have been collected: a bucket that starts or
// ends with the best value can reach it.
FixedPiece best_of(const std::vector<FixedPiece>& pieces, double current) {
  const std::int64_t best =
      std::max_element(pieces.begin(), pieces.end(), [](const auto& x, const auto& y) {
        return x.value < y.value;
      })->value;
  const FixedPiece* chosen = nullptr;
  for (const FixedPiece& piece : pieces) {
    if (piece.value != best) continue;
    if (piece.low < current && current < piece.high) return piece;
    if (!chosen || piece.high - piece.low > chosen->high - chosen->low) chosen = &piece;
  }
  return *chosen;
}

}  // namespace

FixedPiece best_piece(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                      Communicator& comm) {
  BestSteps found(start);
  if (comm.size() == 1)
    found.search(lists, start);
  else
    found.search(lists, start, comm);
  return best_of(join(found.steps, start, ends), ends.current);
}

std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                                   Communicator& comm) {
  const JumpSpans spans(lists.begin(), lists.end());
  std::vector<Jump> jumps = gathered<Jump>(joined(spans), comm);
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
