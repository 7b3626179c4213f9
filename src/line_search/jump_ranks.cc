#include "line_search/jump_ranks.h"

#include <bit>

namespace podium {
namespace {

constexpr std::int64_t kFewRankedJumps = 10'000;  // of all ranks
constexpr std::size_t kSampledOfRank = 256;
constexpr std::size_t kLevelBuckets = 8192;
constexpr int kMostLevels = 8;

// Element-wise maximum of unsigned numbers stored as bytes.
void keep_larger(std::span<std::byte> into, std::span<const std::byte> other) {
  for (std::size_t at = 0; at < into.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, into.data() + at, sizeof(a));
    std::memcpy(&b, other.data() + at, sizeof(b));
    a = std::max(a, b);
    std::memcpy(into.data() + at, &a, sizeof(a));
  }
}

class RankedJumps {
 public:
  RankedJumps(const std::vector<std::vector<Jump>>& lists, std::int64_t start, Communicator& comm)
      : comm_(comm) {
    best_.see(start);
    const JumpSpans spans(lists.begin(), lists.end());
    auto all = static_cast<std::int64_t>(count(spans));
    comm.all_reduce_sum(std::span(&all, 1));
    if (all < kFewRankedJumps) {
      for (const auto list : spans)
        for (const Jump& jump : list) mine_.push_back({jump, 0});
      parts_.push_back({start, all});
      return;
    }
    const std::size_t stride = 1 + count(spans) / kSampledOfRank;
    const SampledBuckets bucket_of(joined_over_ranks(sampled(spans, stride), comm));
    std::vector<JumpBucket> buckets(kBuckets);
    std::vector<std::uint16_t> numbers;
    numbers.reserve(count(spans));
    for (const auto list : spans)
      for (const Jump& jump : list) {
        numbers.push_back(static_cast<std::uint16_t>(bucket_of(jump)));
        buckets[numbers.back()].add(jump);
      }
    sum_over_ranks(buckets, comm_);
    see_ends(buckets, start);
    std::vector<std::uint64_t> part_of(kBuckets, kNowhere);
    std::vector<Part> parts;
    promising(buckets, start, part_of, parts);
    auto number = numbers.begin();
    for (const auto list : spans)
      for (const Jump& jump : list)
        if (const std::uint64_t part = part_of[*number++]; part != kNowhere)
          mine_.push_back({jump, part});
    parts_ = std::move(parts);
  }

  std::vector<SumStep> steps() {
    for (int level = 0; level < kMostLevels && left() >= kFewRankedJumps; ++level)
      if (cut_finer() == Cutting::cannot_go_on) break;
    add_up_equal(mine_);
    std::vector<Item> all = joined_over_ranks(std::move(mine_), comm_);
    add_up_equal(all);
    std::vector<SumStep> steps;  // parts are in ascending α
    std::int64_t value = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || all[i].part != all[i - 1].part) value = parts_[all[i].part].start;
      steps.push_back({all[i].jump.alpha, value += all[i].jump.change});
    }
    return steps;
  }

 private:
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  // A stretch of α that may reach the best value, over all ranks.
  struct Part {
    std::int64_t start;  // the sum before its first jump
    std::int64_t size;
  };
  struct Item {
    Jump jump;
    std::uint64_t part;
  };
  // The beginning of a part, its width and that of its buckets, in keys.
  struct Cut {
    std::uint64_t low, width;
    int shift;  // of a bucket
    std::size_t bucket(const Jump& jump) const {
      return (ascending_key(jump.alpha) - low) >> shift;
    }
  };

  // Sorts, and merges items at the same α.
  static void add_up_equal(std::vector<Item>& items) {
    std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) {
      return x.part != y.part ? x.part < y.part : x.jump.alpha < y.jump.alpha;
    });
    std::size_t kept = 0;
    for (const Item& item : items) {
      if (kept > 0 && items[kept - 1].part == item.part &&
          items[kept - 1].jump.alpha == item.jump.alpha)
        items[kept - 1].jump.change += item.jump.change;
      else
        items[kept++] = item;
    }
    items.resize(kept);
  }

  std::int64_t left() const {
    std::int64_t jumps = 0;
    for (const Part& part : parts_) jumps += part.size;
    return jumps;
  }

  void see_ends(std::span<const JumpBucket> buckets, std::int64_t value) {
    for (const JumpBucket& bucket : buckets) best_.see(value += bucket.change);
  }

  void promising(std::span<const JumpBucket> buckets, std::int64_t value,
                 std::span<std::uint64_t> part_of, std::vector<Part>& parts) const {
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      if (buckets[b].size > 0 && best_.can_be(value + buckets[b].rise)) {
        part_of[b] = parts.size();
        parts.push_back({value, buckets[b].size});
      }
      value += buckets[b].change;
    }
  }

  // Divides every part into the same number of buckets.
  std::vector<Cut> cuts(int bits) const {
    std::vector<std::uint64_t> ends(2 * parts_.size());  // the highest key, and ~ the lowest
    for (const Item& item : mine_) {
      const std::uint64_t key = ascending_key(item.jump.alpha);
      ends[2 * item.part] = std::max(ends[2 * item.part], key);
      ends[2 * item.part + 1] = std::max(ends[2 * item.part + 1], ~key);
    }
    comm_.all_reduce(std::as_writable_bytes(std::span(ends)), keep_larger);
    std::vector<Cut> cuts;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const std::uint64_t low = ~ends[2 * p + 1], width = ends[2 * p] - low;
      cuts.push_back({low, width, std::max(0, static_cast<int>(std::bit_width(width)) - bits)});
    }
    return cuts;
  }

  enum class Cutting { done, cannot_go_on };
  Cutting cut_finer() {
    const int bits =
        std::max(1, static_cast<int>(std::bit_width(kLevelBuckets / parts_.size())) - 1);
    const std::vector<Cut> cut = cuts(bits);
    const auto is_one_alpha = [](const Cut& part) { return part.width == 0; };
    if (std::all_of(cut.begin(), cut.end(), is_one_alpha)) return Cutting::cannot_go_on;
    const std::size_t each = std::size_t{1} << bits;
    std::vector<JumpBucket> buckets(parts_.size() * each);
    for (const Item& item : mine_)
      buckets[item.part * each + cut[item.part].bucket(item.jump)].add(item.jump);
    sum_over_ranks(buckets, comm_);
    const auto of_part = [&](std::size_t p) { return std::span(buckets).subspan(p * each, each); };
    for (std::size_t p = 0; p < parts_.size(); ++p) see_ends(of_part(p), parts_[p].start);
    std::vector<std::uint64_t> part_of(buckets.size(), kNowhere);
    std::vector<Part> parts;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      promising(of_part(p), parts_[p].start, std::span(part_of).subspan(p * each, each), parts);
    std::size_t kept = 0;
    for (const Item& item : mine_) {
      const std::uint64_t part = part_of[item.part * each + cut[item.part].bucket(item.jump)];
      if (part != kNowhere) mine_[kept++] = {item.jump, part};
    }
    mine_.resize(kept);
    parts_ = std::move(parts);
    return Cutting::done;
  }

  Communicator& comm_;
  BestSeen best_;
  std::vector<Part> parts_;
  std::vector<Item> mine_;
};

}  // namespace

void sum_over_ranks(std::span<JumpBucket> buckets, Communicator& comm) {
  static_assert(sizeof(JumpBucket) == 3 * sizeof(std::int64_t));
  comm.all_reduce_sum(
      std::span(reinterpret_cast<std::int64_t*>(buckets.data()), 3 * buckets.size()));
}

std::vector<SumStep> best_steps_over_ranks(const std::vector<std::vector<Jump>>& mine,
                                           std::int64_t start, Communicator& comm) {
  return RankedJumps(mine, start, comm).steps();
}

}  // namespace podium
