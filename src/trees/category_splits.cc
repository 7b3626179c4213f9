// The items are not sorted as a whole. They are dealt into buckets by their keys, and the path of
// the sums from one end of a bucket to the other lies in the triangle between its two ends and the
// point V where the lines of the bucket's lowest and highest key meet, because a path in the order
// of its slopes is convex. A convex score is largest in a corner. So buckets whose corners are
// below the best end of all buckets are passed over, and only the others are sorted: mostly one or
// two of them. What is found is the same as by sorting all.
//
// Items that are sorted with the help of `usual` ratios make no convex path. Then the best end of
// all buckets is taken, and the two buckets beside it are sorted: a cut that is the best one
// nearby.
#include "trees/category_splits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace podium {
namespace {

constexpr std::size_t kBuckets = 64;
constexpr std::size_t kSortedAtOnce = 48;   // items that are sorted as one bucket
constexpr double kMostBucketsAKey = 1e300;  // keys may be that close
constexpr double kCornerSlack = 1e-9;       // of a corner's score: more than rounding can take away

struct CategoryItem {
  double key;
  std::uint32_t bin;

  bool operator<(const CategoryItem& other) const {
    return key != other.key ? key < other.key : bin < other.bin;
  }
};

// The ratio that items are sorted by.
double category_key(const DerivativeSums& item, const SplitScale& scale, double usual) {
  const double first = static_cast<double>(item.first) + scale.category_l2 * usual;
  const double second = static_cast<double>(item.second) + scale.category_l2;
  if (second > 0) return first / second;
  return first == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), first);
}

double usual_of(std::span<const double> usual, std::uint32_t bin) {
  return usual.empty() ? 0 : usual[bin];
}

// A number of items, with their sums.
struct ItemSums {
  DerivativeSums sums;
  std::size_t items = 0;

  void add(const DerivativeSums& item) {
    sums += item;
    ++items;
  }
  void add(const ItemSums& others) {
    sums += others.sums;
    items += others.items;
  }
};

struct CategoryBucket {
  ItemSums sums;
  double low = HUGE_VAL, high = -HUGE_VAL;  // keys
};

// The prefix with the largest score; 0 items: the rules allow none.
struct PrefixCut {
  ItemSums left;
  CategoryItem last = {};
  double score = kForbiddenSplit;
};

class PrefixSearch {
 public:
  PrefixSearch(ConstHistogram bins, std::span<const double> usual, const DerivativeSums& total,
               const SplitScale& scale)
      : bins_(bins),
        total_(total),
        scale_(scale),
        in_own_order_(usual.empty()),
        storage_(std::make_unique_for_overwrite<CategoryItem[]>(bins.size())) {
    std::size_t count = 0;
    for (std::uint32_t b = 0; b < bins.size(); ++b) {
      if (bins[b].documents == 0) continue;
      const double key = category_key(bins[b], scale, usual_of(usual, b));
      low_ = std::min(low_, key);
      high_ = std::max(high_, key);
      storage_[count++] = {key, b};
    }
    items_ = {storage_.get(), count};
  }

  std::size_t items() const { return items_.size(); }

  PrefixCut best() {
    PrefixCut best;
    if (items_.size() <= kSortedAtOnce || !(high_ - low_ < HUGE_VAL)) {
      walk({items_.begin(), items_.end()}, {}, best);
      return best;
    }
    deal();
    const BucketEnd end = best_end();
    ItemSums before;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      const bool is_walked = in_own_order_ ? corner_score(before, buckets_[b]) >= end.score
                                           : b == end.bucket || b == end.next;
      if (is_walked) walk(items_of(b), before, best);
      before.add(buckets_[b].sums);
    }
    return best;
  }

 private:
  // Items into buckets of equal widths.
  void deal() {
    const double range = high_ - low_;
    const double a_key = range > 0 ? std::min(kBuckets / range, kMostBucketsAKey) : 0;
    bucket_of_.resize(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const double key = items_[i].key;
      const auto b = std::min(kBuckets - 1, static_cast<std::size_t>((key - low_) * a_key));
      bucket_of_[i] = static_cast<std::uint8_t>(b);
      CategoryBucket& bucket = buckets_[b];
      bucket.sums.add(bins_[items_[i].bin]);
      bucket.low = std::min(bucket.low, key);
      bucket.high = std::max(bucket.high, key);
    }
  }
  std::vector<CategoryItem> items_of(std::size_t bucket) const {
    std::vector<CategoryItem> items;
    items.reserve(buckets_[bucket].sums.items);
    for (std::size_t i = 0; i < items_.size(); ++i)
      if (bucket_of_[i] == bucket) items.push_back(items_[i]);
    return items;
  }

  double score(double first, double second, double items) const {
    const double rest = static_cast<double>(items_.size()) - items;
    const auto all = static_cast<double>(total_.first);
    const auto curvature = static_cast<double>(total_.second);
    return score_of(scale_, first, second, items * scale_.category_l2) +
           score_of(scale_, all - first, curvature - second, rest * scale_.category_l2);
  }
  double score(const ItemSums& left) const {
    return score(static_cast<double>(left.sums.first), static_cast<double>(left.sums.second),
                 static_cast<double>(left.items));
  }

  bool allows(const ItemSums& left) const {
    return left.items < items_.size() && scale_.allows(left.sums) &&
           scale_.allows(total_ - left.sums);
  }

  // The bucket with the largest score at its end, and the next one that has items.
  struct BucketEnd {
    double score = kForbiddenSplit;
    std::size_t bucket = kBuckets, next = kBuckets;
  };
  BucketEnd best_end() const {
    ItemSums left;
    BucketEnd best;
    for (std::size_t b = 0; b < kBuckets; ++b) {
      if (buckets_[b].sums.items == 0) continue;
      if (best.next == kBuckets && best.bucket < kBuckets) best.next = b;
      left.add(buckets_[b].sums);
      if (!allows(left)) continue;
      if (const double found = score(left); found > best.score) best = {found, b, kBuckets};
    }
    return best;
  }

  // No prefix that ends in the bucket has a larger score than this.
  double corner_score(const ItemSums& before, const CategoryBucket& bucket) const {
    if (bucket.sums.items == 0) return kForbiddenSplit;
    ItemSums after = before;
    after.add(bucket.sums);
    const auto first = static_cast<double>(bucket.sums.sums.first);
    const double second = static_cast<double>(bucket.sums.sums.second) +
                          static_cast<double>(bucket.sums.items) * scale_.category_l2;
    const double slopes = bucket.high - bucket.low;
    const double x =
        slopes > 0 ? std::clamp((bucket.high * second - first) / slopes, 0.0, second) : 0;
    const auto begin = static_cast<double>(before.items);
    // The curvature of V, less the penalty of the items before, which score() adds.
    const double corner = score(static_cast<double>(before.sums.first) + bucket.low * x,
                                static_cast<double>(before.sums.second) + x, begin);
    double best = before.items > 0 ? score(before) : 0;
    if (after.items < items_.size()) best = std::max(best, score(after));
    // Not a number: a side without curvature, of which nothing is known.
    best = corner > best || std::isnan(corner) ? corner : best;
    return std::isnan(best) ? HUGE_VAL : best + kCornerSlack * std::fabs(best);
  }

  // Scores the prefixes that end at one of these items, in order.
  void walk(std::vector<CategoryItem> items, ItemSums left, PrefixCut& best) const {
    std::sort(items.begin(), items.end());
    for (const CategoryItem& item : items) {
      left.add(bins_[item.bin]);
      if (!allows(left)) continue;
      if (const double found = score(left); found > best.score) best = {left, item, found};
    }
  }

  ConstHistogram bins_;
  DerivativeSums total_;
  const SplitScale& scale_;
  bool in_own_order_;                        // of the sums: what corner_score() needs
  std::unique_ptr<CategoryItem[]> storage_;  // not a vector, which would be cleared first
  std::span<const CategoryItem> items_;
  double low_ = HUGE_VAL, high_ = -HUGE_VAL;  // keys
  std::vector<std::uint8_t> bucket_of_;       // of items_
  std::array<CategoryBucket, kBuckets> buckets_ = {};
};

// Which bins are left of a cut after one of the items.
class CategorySides {
 public:
  CategorySides(const BinnedFeature& feature, const SplitProblem& problem, const SplitScale& scale,
                std::span<const double> usual, std::uint32_t last)
      : bins_(problem.histogram.subspan(feature.first_bin, feature.bins())),
        scale_(scale),
        usual_(usual),
        last_(item(last)) {}

  bool in_prefix(std::uint32_t bin) const { return !(last_ < item(bin)); }
  bool prefix_is_left(const BinnedFeature& feature, std::int64_t documents_in_prefix,
                      std::int64_t documents) const {
    const std::uint32_t missing = feature.value_bins();
    return feature.has_missing && bins_[missing].documents > 0
               ? !in_prefix(missing)
               : 2 * documents_in_prefix <= documents;
  }

 private:
  CategoryItem item(std::uint32_t bin) const {
    return {category_key(bins_[bin], scale_, usual_of(usual_, bin)), bin};
  }

  ConstHistogram bins_;
  const SplitScale& scale_;
  std::span<const double> usual_;
  CategoryItem last_;
};

}  // namespace

void find_usual(const BinnedFeature& feature, const SplitProblem& root, const SplitScale& scale,
                std::span<double> usual) {
  const ConstHistogram bins = root.histogram.subspan(feature.first_bin, feature.bins());
  for (std::uint32_t b = 0; b < bins.size(); ++b) {
    const double key = category_key(bins[b], scale, 0);
    usual[b] = std::isfinite(key) ? key : 0;
  }
}

Split best_category_split(const BinnedFeature& feature, const SplitProblem& problem,
                          const SplitScale& scale, std::span<const double> usual) {
  const ConstHistogram bins = problem.histogram.subspan(feature.first_bin, feature.bins());
  PrefixSearch search(bins, usual, problem.sums, scale);
  if (search.items() < 2) return {};
  const PrefixCut cut = search.best();
  if (cut.left.items == 0) return {};
  const double before =
      side_score(scale, problem.sums, static_cast<double>(search.items()) * scale.category_l2);
  if (cut.score - before <= kSplitRounding * before) return {};
  const CategorySides sides(feature, problem, scale, usual, cut.last.bin);
  Split split;
  split.gain = cut.score - before;
  split.bin = cut.last.bin;
  split.missing = Tree::Node::Missing::right;
  split.left = sides.prefix_is_left(feature, cut.left.sums.documents, problem.sums.documents)
                   ? cut.left.sums
                   : problem.sums - cut.left.sums;
  return split;
}

std::vector<std::uint32_t> left_bins(const BinnedFeature& feature, const SplitProblem& problem,
                                     const SplitScale& scale, const Split& split,
                                     std::span<const double> usual) {
  const ConstHistogram bins = problem.histogram.subspan(feature.first_bin, feature.bins());
  const CategorySides sides(feature, problem, scale, usual, split.bin);
  std::vector<std::uint32_t> prefix, others;
  std::int64_t documents = 0;
  for (std::uint32_t b = 0; b < bins.size(); ++b) {
    if (bins[b].documents == 0) continue;
    const bool is_in = sides.in_prefix(b);
    if (is_in) documents += bins[b].documents;
    (is_in ? prefix : others).push_back(b);
  }
  return sides.prefix_is_left(feature, documents, problem.sums.documents) ? prefix : others;
}

}  // namespace podium
