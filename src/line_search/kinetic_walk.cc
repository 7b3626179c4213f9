#include "line_search/kinetic_walk.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "line_search/lanes.h"
#include "line_search/top_value.h"

namespace podium {

// Does not look for twins at first: if they enter, they are adjacent, and are detected.
std::int64_t KineticWalk::walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                               std::vector<Jump>& jumps) {
  const std::size_t ranks = std::min(query.measure.depth(), lines.size());
  begin(query, lines, ranks);
  unit_weights_.clear();
  for (const double weight : query.rank_weights) unit_weights_.push_back(weight * query.units);
  const bool additive = query.form == MeasureForm::Kind::additive;
  bool done = false;
  if (additive) {
    AdditiveTopValue value(query, query.gains, unit_weights_);
    done = walk_with(value, range);
  } else {
    GeneralTopValue value(query, ranks, nullptr);
    done = walk_with(value, range);
  }
  if (!done) {
    twins_.find(lines);
    twins_matter_ = false;
    begin_again();
    if (additive) {
      AdditiveTopValue value(query, twins_.shared(query.gains), unit_weights_);
      walk_with(value, range);
    } else {
      GeneralTopValue value(query, ranks, &twins_);
      walk_with(value, range);
    }
  }
  jumps.insert(jumps.end(), jumps_.begin(),
               jumps_.begin() + static_cast<std::ptrdiff_t>(jump_count_));
  return start_;
}

void KineticWalk::begin(const LineQuery& query, const LineSpans& lines, std::size_t ranks) {
  query_ = &query;
  lines_ = lines;
  top_.resize(ranks);
  gaps_.assign(whole_lanes(ranks), kNever);
  candidates_.make_room(lines.size());
  if (rough_.size() < whole_lanes(lines.size())) rough_.resize(whole_lanes(lines.size()));
  if (jumps_.empty()) jumps_.resize(256);
  twins_matter_ = query.ties == Ties::expected;
  largest_slope_ = largest_intercept_ = 0;
  for (const double slope : lines.slopes)
    largest_slope_ = std::max(largest_slope_, std::abs(slope));
  for (const double intercept : lines.intercepts)
    largest_intercept_ = std::max(largest_intercept_, std::abs(intercept));
  begin_again();
}

void KineticWalk::begin_again() {
  is_top_.assign(lines_.size(), 0);
  pools_.resize(lines_.size());
  std::iota(pools_.begin(), pools_.end(), 0U);
  jump_count_ = 0;
  twins_seen_ = false;
}

// False if there are twins among the first τ, and they were not requested.
template <class Value>
bool KineticWalk::walk_with(Value& value, GridRange range) {
  if (range.low == -kNever)
    choose_top(
        [](const Line& i, const Line& j) {
          return i.slope != j.slope ? i.slope < j.slope : i.intercept > j.intercept;
        },
        pools_);
  else
    choose_top([&](const Line& i, const Line& j) { return is_above_after(range.low, i, j); },
               pools_);
  if (twins_seen_) return false;
  value_ = start_ = value.of([this](std::size_t k) { return top_[k].document; });
  now_ = range.low;
  checkpoints_.assign(1, {range.high, 0});
  while (!checkpoints_.empty() && !twins_seen_) {
    choose_candidates();
    walk_block(value);
  }
  return !twins_seen_;
}

// Up to the nearest checkpoint, or to an α where so many lines crossed that the candidates should
// be chosen again.
template <class Value>
void KineticWalk::walk_block(Value& value) {
  const auto document_at = [this](std::size_t k) { return top_[k].document; };
  const double end = checkpoints_.back().alpha;
  const std::size_t last = top_.size() - 1;
  find_gaps();
  for (;;) {
    const double first = smallest(gaps_);
    const double alpha = without_index(first);
    if (alpha >= end) {
      now_ = end;
      pools_.resize(checkpoints_.back().pool_begin);
      checkpoints_.pop_back();
      return;
    }
    const std::int64_t before = value_;
    const std::size_t k = index_of(first);
    if ((k == last && passing_ > 1) || value.needs_settled_order()) {
      rebuild(alpha);
      if (twins_seen_) return;
      value_ = value.of(document_at);
      add_jump(alpha, value_ - before);
      now_ = alpha;
      if (candidates_.count > kFewCandidates) return;
      find_gaps();
      continue;
    }
    if (k < last) {
      std::swap(top_[k], top_[k + 1]);
      value_ = value.after_swap(document_at, k, top_[k].document, top_[k + 1].document, value_);
      gaps_[k] = kNever;
      if (k + 1 < last)
        find_gap(k + 1);
      else
        find_boundary_gap();
    } else {
      const std::uint32_t out = top_[last].document;
      enter();
      value_ = value.after_swap(document_at, last, top_[last].document, out, value_);
      find_boundary_gap();
    }
    if (k > 0) find_gap(k - 1);
    add_jump(alpha, value_ - before);
  }
}

// Swaps at the same α are one jump.
void KineticWalk::add_jump(double alpha, std::int64_t change) {
  if (jump_count_ > 0 && jumps_[jump_count_ - 1].alpha == alpha) {
    change += jumps_[--jump_count_].change;
  } else if (jump_count_ == jumps_.size()) {
    jumps_.resize(2 * jumps_.size());
  }
  jumps_[jump_count_] = {alpha, change};
  jump_count_ += change != 0;
}

// The first of `documents` by above(i, j), with identical lines in the convention's order.
template <class Above>
void KineticWalk::choose_top(Above&& above, std::span<const std::uint32_t> documents) {
  std::size_t size = 0;
  const auto before = [&](const Place& i, const Place& j) {
    if (above(i.line, j.line)) return true;
    if (i.line.slope != j.line.slope || i.line.intercept != j.line.intercept) return false;
    twins_seen_ = twins_matter_;
    return query_->tie_rank(i.document) < query_->tie_rank(j.document);
  };
  for (const std::uint32_t document : documents) {
    const Place place{lines_[document], document};
    if (size == top_.size()) {
      if (!before(place, top_[size - 1])) continue;
      is_top_[top_[size - 1].document] = 0;
      --size;
    }
    std::size_t k = size++;
    for (; k > 0 && before(place, top_[k - 1]); --k) top_[k] = top_[k - 1];
    top_[k] = place;
    is_top_[document] = 1;
  }
}

void KineticWalk::find_gaps() {
  for (std::size_t k = 0; k + 1 < top_.size(); ++k) find_gap(k);
  find_boundary_gap();
}

void KineticWalk::find_gap(std::size_t k) {
  gaps_[k] = indexed_crossing(top_[k].line, top_[k + 1].line, k);
}

// Computes approximate quotients first, and exact ones only for those that could be the smallest.
void KineticWalk::find_boundary_gap() {
  const Line boundary = top_.back().line;
  const std::size_t count = candidates_.count, padded = whole_lanes(count), last = top_.size() - 1;
  gaps_[last] = kNever;
  if (count == 0) return;
  std::fill(candidates_.slopes.begin() + static_cast<std::ptrdiff_t>(count),
            candidates_.slopes.begin() + static_cast<std::ptrdiff_t>(padded), -kNever);
  constexpr auto kGridBits = ~static_cast<std::int64_t>(kGridStep - 1);
  const Lanes never = {kNever, kNever}, slope = {boundary.slope, boundary.slope},
              intercept = {boundary.intercept, boundary.intercept};
  const Lanes farthest = {kFarthestCrossing, kFarthestCrossing};
  LaneMask index = {0, 1};
  for (std::size_t c = 0; c < padded; c += kLanes, index += kLanes) {
    const Lanes slopes = load(candidates_.slopes.data() + c);
    const Lanes rise = intercept - load(candidates_.intercepts.data() + c);
    Lanes alphas = rise / (slopes - slope);
    alphas = alphas < farthest ? alphas : farthest;
    alphas = alphas > -farthest ? alphas : -farthest;
    const LaneMask bits = reinterpret_cast<LaneMask>(alphas) & kGridBits;
    store(slopes > slope ? reinterpret_cast<Lanes>(bits | (index & ~kGridBits)) : never,
          rough_.data() + c);
  }
  const std::span<const double> rough(rough_.data(), padded);
  const double first = smallest(rough);
  if (first == kNever) return;
  const double limit = first + 0x1p-40 * std::abs(first) + kNearestCrossing;
  passing_ = count_up_to(limit, rough);
  next_in_ = index_of(first);
  if (passing_ > 1 || count > kGridStep)
    find_exact_boundary_gap(limit);
  else
    gaps_[last] = indexed_crossing(boundary, candidates_.line(next_in_), last);
}

void KineticWalk::find_exact_boundary_gap(double limit) {
  double first = kNever;
  const std::size_t last = top_.size() - 1;
  for (std::size_t c = 0; c < candidates_.count; ++c) {
    if (rough_[c] > limit) continue;
    const double alpha = indexed_crossing(top_[last].line, candidates_.line(c), last);
    if (alpha > first) continue;
    passing_ = alpha < first ? 1 : passing_ + 1;
    next_in_ = c;
    first = alpha;
  }
  gaps_[last] = first;
}

// The first document to pass the boundary takes the last position.
void KineticWalk::enter() {
  const Place out = top_.back();
  const std::uint32_t in = candidates_.documents[next_in_];
  top_.back() = {candidates_.line(next_in_), in};
  candidates_.set(next_in_, out.line, out.document);
  is_top_[out.document] = 0;
  is_top_[in] = 1;
}

// The order just after α.
void KineticWalk::rebuild(double alpha) {
  scratch_.clear();
  for (const Place& place : top_) {
    scratch_.push_back(place.document);
    is_top_[place.document] = 0;
  }
  scratch_.insert(scratch_.end(), candidates_.documents.begin(),
                  candidates_.documents.begin() + static_cast<std::ptrdiff_t>(candidates_.count));
  choose_top([alpha](const Line& i, const Line& j) { return is_above_after(alpha, i, j); },
             scratch_);
  candidates_.count = 0;
  for (const std::uint32_t document : scratch_)
    if (!is_top_[document]) candidates_.set(candidates_.count++, lines_[document], document);
}

}  // namespace podium
