#include "line_search/jump_merge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "line_search/jump_buckets.h"
#include "line_search/jump_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kFewJumps = 256;  // are sorted directly
constexpr std::size_t kVeryMany = 10'000, kSampled = 61;

class BestSteps {
 public:
  explicit BestSteps(std::int64_t start) { best_.see(start); }

  // Collects, in ascending α, every jump from or to the best value, and some others.
  void search(const JumpLists& lists, std::int64_t start) {
    const JumpSpans spans(lists.begin(), lists.end());
    const std::size_t jumps = count(spans);
    if (jumps == 0) return;
    if (jumps < kVeryMany) return refine(spans, start);
    std::vector<Jump> inside;
    for (const Part& part :
         distribute(spans, start, SampledBuckets(sampled(spans, kSampled)), inside))
      look_into(std::span(inside).subspan(part.begin, part.size), part);
  }

  std::vector<SumStep> steps;

 private:
  struct Part {
    std::size_t begin, size;
    std::int64_t start, rise;
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  // Processes all jumps of a stretch of α that starts with this value.
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
    if (!best_.can_be(part.start + part.rise)) return;
    if (jumps.size() <= kFewJumps)
      sort(jumps, part.start);
    else
      refine({jumps}, part.start);
  }

  // The buckets that may reach the best value, with their jumps, bucket by bucket.
  template <class BucketOf>
  std::vector<Part> distribute(const JumpSpans& lists, std::int64_t start,
                               const BucketOf& bucket_of, std::vector<Jump>& inside) {
    std::vector<std::uint16_t> numbers;
    std::vector<std::uint32_t> part_of;
    std::vector<Part> parts = promising(start, fill(lists, bucket_of, numbers), part_of);
    sort_into(parts, part_of, lists, numbers, inside);
    return parts;
  }

  // Also computes each jump's bucket.
  template <class BucketOf>
  static std::vector<JumpBucket> fill(const JumpSpans& lists, const BucketOf& bucket_of,
                                      std::vector<std::uint16_t>& numbers) {
    std::vector<JumpBucket> buckets(kBuckets);
    numbers.reserve(count(lists));
    for (const auto list : lists)
      for (const Jump& jump : list) {
        const std::size_t b = bucket_of(jump);
        numbers.push_back(static_cast<std::uint16_t>(b));
        buckets[b].add(jump);
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
  std::vector<Part> promising(std::int64_t start, const std::vector<JumpBucket>& buckets,
                              std::vector<std::uint32_t>& part_of) {
    part_of.assign(buckets.size(), kNowhere);
    std::int64_t value = start;
    for (const JumpBucket& bucket : buckets) best_.see(value += bucket.change);
    value = start;
    std::vector<Part> parts;
    std::size_t begin = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const JumpBucket& bucket = buckets[b];
      if (bucket.size && best_.can_be(value + bucket.rise)) {
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
      best_.see(value);
    }
  }

  BestSeen best_;
};

// Turns jumps of the sum into pieces with values, in steps.
std::vector<FixedPiece> join(const std::vector<SumStep>& steps, std::int64_t start,
                             const LineEnds& ends) {
  std::vector<FixedPiece> pieces = {{ends.low, ends.high, to_step(start)}};
  for (const SumStep& step : steps) {
    const std::int64_t value = to_step(step.after);
    if (value == pieces.back().value) continue;
    pieces.back().high = step.alpha;
    pieces.push_back({step.alpha, ends.high, value});
  }
  return pieces;
}

// The jumps on both sides of every best piece have been collected: a bucket that starts or ends
// with the best value can reach it.
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
  if (comm.size() > 1)
    return best_of(join(best_steps_over_ranks(lists, start, comm), start, ends), ends.current);
  BestSteps found(start);
  found.search(lists, start);
  return best_of(join(found.steps, start, ends), ends.current);
}

std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                                   Communicator& comm) {
  std::vector<Jump> jumps;
  for (const std::vector<Jump>& list : lists) jumps.insert(jumps.end(), list.begin(), list.end());
  jumps = joined_over_ranks(std::move(jumps), comm);
  std::sort(jumps.begin(), jumps.end(),
            [](const Jump& x, const Jump& y) { return x.alpha < y.alpha; });
  std::vector<SumStep> steps;
  std::int64_t value = start;
  for (const Jump& jump : jumps) {
    value += jump.change;
    if (steps.empty() || steps.back().alpha != jump.alpha) steps.push_back({jump.alpha, value});
    steps.back().after = value;
  }
  return join(steps, start, ends);
}

}  // namespace podium
