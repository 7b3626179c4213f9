// Compiled once for each instruction set that Highway supports on this architecture; chosen at run
// time. The documents considered may differ between them, but the jumps do not.
#include "line_search/slab_walk.h"

#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "line_search/slab_walk.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "line_search/slab_block-inl.h"
#include "line_search/slab_pools-inl.h"

#ifndef PODIUM_SLAB_WALK_ONCE
#define PODIUM_SLAB_WALK_ONCE
namespace podium {

// What a walk needs from a query.
struct SlabTask {
  std::span<const double> gains;    // of the documents
  std::span<const double> weights;  // of the ranks, in units
  std::int64_t offset;
  GridRange range;
  Ties ties;
  SlabBuffers& buffers;
};

struct SlabResult {
  bool done;
  bool twins;  // found, with different gains
  std::int64_t start;
};

}  // namespace podium
#endif

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::size_t kSlabs = 4;  // initially
constexpr std::size_t kFewSamples = 8;
constexpr std::size_t kWelcome = 14;  // desired documents in a slab beyond the first τ

class Walker {
 public:
  explicit Walker(const SlabTask& task)
      : task_(task), ranks_(task.weights.size()), blocks_left_(64 + pool(0).count / 4) {
    std::fill(std::begin(weights_), std::end(weights_), 0.0);
    std::copy(task.weights.begin(), task.weights.end(), weights_);
  }

  SlabResult run() {
    if (pool(0).count <= kMostBlockDocuments) {
      walk_block(pool(0), task_.range);
      return {!twins_, twins_, start_};
    }
    return {walk_slabs() && !twins_, twins_, start_};
  }

 private:
  SlabPool& pool(std::size_t depth) { return task_.buffers.pools[depth]; }

  // Divides at sampled crossings. False if it gave up.
  bool walk_slabs() {
    Samples samples;
    sample_crossings(pool(0), task_.range, kMostSamples, samples);
    double edges[kSlabs + 1] = {task_.range.low};
    std::size_t slabs = 1;
    for (std::size_t k = 1; k < kSlabs && samples.count > 0; ++k)
      if (const double edge = samples.alphas[k * samples.count / kSlabs]; edge > edges[slabs - 1])
        edges[slabs++] = edge;
    edges[slabs] = task_.range.high;
    End low = end_at(edges[0]);
    for (std::size_t k = 0; k < slabs; ++k) {
      End high = end_at(edges[k + 1]);
      low.floor = lowest_of_top(pool(0), high, low.edge);
      high.floor = lowest_of_top(pool(0), low, high.edge);
      if (!walk(low, high, 1)) return false;
      low = high;
    }
    return true;
  }

  End end_at(double alpha) {
    const Edge edge(alpha, pool(0));
    return {edge, level_of_top(pool(0), ranks_, edge, kLowest, task_.buffers.numbers)};
  }

  // False if it gave up.
  bool walk(const End& low, const End& high, std::size_t depth) {
    SlabPool& mine = pool(depth);
    choose_pool(pool(depth - 1), low, high, mine);
    const GridRange slab{low.edge.alpha, high.edge.alpha};
    Samples samples;
    if (mine.count > ranks_ + kWelcome && depth + 1 < kMostSlabDepth)
      sample_crossings(mine, slab, kFewSamples, samples);
    if (samples.count == 0) {
      if (mine.count > kMostBlockDocuments || blocks_left_ == 0) return false;
      --blocks_left_;
      walk_block(mine, slab);
      return !twins_;
    }
    const Edge edge(samples.middle(), mine);
    const Level of_low = lowest_of_top(mine, low, edge), of_high = lowest_of_top(mine, high, edge);
    End middle{edge, level_of_top(mine, ranks_, edge, std::max(of_low.score, of_high.score),
                                  task_.buffers.numbers)};
    End left = low, right = high;
    left.floor = lowest_of_top(mine, middle, low.edge);
    right.floor = lowest_of_top(mine, middle, high.edge);
    middle.floor = of_low;
    if (!walk(left, middle, depth + 1)) return false;
    middle.floor = of_high;
    return walk(middle, right, depth + 1);
  }

  // Crossings with low < α ≤ high, or below the range's upper end.
  void walk_block(const SlabPool& documents, GridRange slab) {
    const Block block(documents, task_.gains);
    if (slab.high != task_.range.high) slab.high = next_on_grid(slab.high);
    if (slab.low == task_.range.low) start(block);
    if (!count_jumps(block, documents, slab)) walk_exactly(block, slab);
  }

  // False if documents are too close.
  bool count_jumps(const Block& block, const SlabPool& documents, GridRange slab) {
    std::int64_t* const keys = task_.buffers.keys.data();
    std::int64_t* const ranks = task_.buffers.ranks.data();
    const auto gains_differ = [&](std::size_t i, std::size_t j) HWY_ATTR {
      return hn::Ne(hn::LoadU(kDoubles, block.gains + i), hn::LoadU(kDoubles, block.gains + j));
    };
    std::size_t count = find_crossings(block, slab, gains_differ, keys);
    if (!count_ranks(block, documents.largest_slope, documents.largest_intercept, ranks_, keys,
                     ranks, count))
      return false;
    for (std::size_t c = 0; c < count; ++c) {
      const double up = block.gains[rising(keys[c])], down = block.gains[falling(keys[c])];
      const auto rank = static_cast<std::uint32_t>(ranks[c]);
      add_jump(alpha_of(keys[c]),
               term(up, rank) - term(down, rank) + term(down, rank + 1) - term(up, rank + 1));
    }
    return true;
  }

  void start(const Block& block) {
    look_for_twins(block);
    std::uint32_t ranks[kMostBlockDocuments];
    if (std::isinf(task_.range.low))
      find_first_ranks(block, ranks);
    else
      find_ranks(block, task_.range.low, ranks);
    start_ = task_.offset;
    for (std::size_t i = 0; i < block.count; ++i) start_ += term(block.gains[i], ranks[i]);
  }

  void look_for_twins(const Block& block) {
    if (task_.ties == Ties::expected && has_unlike_twins(block)) twins_ = true;
  }

  void walk_exactly(const Block& block, GridRange slab) {
    look_for_twins(block);
    std::uint32_t ranks[kMostBlockDocuments];
    find_ranks(block, slab.low, ranks);
    std::int64_t* const keys = task_.buffers.keys.data();
    const auto all = [](std::size_t, std::size_t)
                         HWY_ATTR { return hn::FirstN(kDoubles, hn::Lanes(kDoubles)); };
    const std::size_t count = find_crossings(block, slab, all, keys);
    std::sort(keys, keys + count);
    for (std::size_t c = 0; c < count; ++c) {
      const std::size_t falls = falling(keys[c]), rises = rising(keys[c]);
      const std::uint32_t down = ranks[falls]++, up = ranks[rises]--;
      add_jump(alpha_of(keys[c]),
               term(block.gains[falls], down + 1) - term(block.gains[falls], down) +
                   term(block.gains[rises], up - 1) - term(block.gains[rises], up));
    }
  }

  std::int64_t term(double gain, std::uint32_t rank) const {
    return to_whole(gain * weights_[rank]);
  }

  // Consecutive swaps at the same α are one jump.
  void add_jump(double alpha, std::int64_t change) {
    SlabBuffers& to = task_.buffers;
    if (to.jump_count > 0 && to.jumps[to.jump_count - 1].alpha == alpha)
      change += to.jumps[--to.jump_count].change;
    else if (to.jump_count == to.jumps.size())
      to.jumps.resize(2 * to.jumps.size());
    to.jumps[to.jump_count] = {alpha, change};
    to.jump_count += change != 0;
  }

  const SlabTask& task_;
  std::size_t ranks_;
  std::size_t blocks_left_;
  double weights_[kMostBlockDocuments + 1];
  std::int64_t start_ = 0;
  bool twins_ = false;
};

SlabResult walk_kernel(const SlabTask& task) {
  return Walker(task).run();
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {

HWY_EXPORT(walk_kernel);

double largest_size(std::span<const double> numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::abs(x) > largest ? std::abs(x) : largest;
  return largest;
}

}  // namespace

SlabBuffers::SlabBuffers()
    : pools(kMostSlabDepth),
      keys(kMostBlockCrossings + kVectorRoom),
      ranks(kMostBlockCrossings + kVectorRoom),
      jumps(256) {}

void SlabPool::make_room(std::size_t n) {
  if (slopes.size() >= n + kVectorRoom) return;
  slopes.resize(n + kVectorRoom);
  intercepts.resize(n + kVectorRoom);
  places.resize(n + kVectorRoom);
}

// Identical lines in the convention's order.
void SlabWalk::fill(const LineQuery& query, const LineSpans& lines) {
  SlabPool& all = buffers_.pools[0];
  all.count = lines.size();
  all.make_room(lines.size());
  all.largest_slope = largest_size(lines.slopes);
  all.largest_intercept = largest_size(lines.intercepts);
  if (query.tie_order.empty()) {
    std::copy(lines.slopes.begin(), lines.slopes.end(), all.slopes.begin());
    std::copy(lines.intercepts.begin(), lines.intercepts.end(), all.intercepts.begin());
    std::iota(all.places.begin(), all.places.end(), 0);
    return;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint32_t at = query.tie_order[i];
    all.slopes[at] = lines.slopes[i];
    all.intercepts[at] = lines.intercepts[i];
    all.places[at] = static_cast<std::int64_t>(i);
  }
}

std::optional<std::int64_t> SlabWalk::walk(const LineQuery& query, const LineSpans& lines,
                                           GridRange range, std::vector<Jump>& jumps) {
  const auto is_far = [](double end) {
    return std::isfinite(end) && std::abs(end) > kFarthestSlabEdge;
  };
  if (query.form != MeasureForm::Kind::additive || query.rank_weights.size() > kDeepestSlabTop ||
      is_far(range.low) || is_far(range.high))
    return std::nullopt;
  fill(query, lines);
  unit_weights_.clear();
  for (const double weight : query.rank_weights) unit_weights_.push_back(weight * query.units);
  SlabTask task{query.gains, unit_weights_, to_whole(query.offset * query.units),
                range,       query.ties,    buffers_};
  buffers_.jump_count = 0;
  SlabResult result = HWY_DYNAMIC_DISPATCH(walk_kernel)(task);
  if (result.twins) {
    twins_.find(lines);
    task.gains = twins_.shared(query.gains);
    buffers_.jump_count = 0;
    result = HWY_DYNAMIC_DISPATCH(walk_kernel)(task);
  }
  if (!result.done) return std::nullopt;
  jumps.insert(jumps.end(), buffers_.jumps.begin(),
               buffers_.jumps.begin() + static_cast<std::ptrdiff_t>(buffers_.jump_count));
  return result.start;
}

}  // namespace podium
#endif
