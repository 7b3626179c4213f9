// Which documents below the first τ a kinetic walk considers, and up to which checkpoint.
#include <algorithm>
#include <array>
#include <cmath>

#include "line_search/kinetic_walk.h"
#include "line_search/lanes.h"

namespace podium {
namespace {

constexpr std::size_t kAimedCandidates = 32;
constexpr std::size_t kSamples = 9;
// Error bound for the difference of two scores b + αa, relative to the largest |b| + |αa|; twice
// the maximum.
constexpr double kCrossingRounding = 0x1p-50;

}  // namespace

void KineticWalk::Candidates::make_room(std::size_t n) {
  if (slopes.size() >= whole_lanes(n)) return;
  slopes.resize(whole_lanes(n));
  intercepts.resize(whole_lanes(n));
  documents.resize(whole_lanes(n));
}

// Documents that may enter before the nearest checkpoint; the checkpoint is moved nearer until
// there are few.
void KineticWalk::choose_candidates() {
  std::size_t from = checkpoints_.back().pool_begin, to = pools_.size();
  for (bool nearer = true;;) {
    nearer = nearer && to - from > kFewCandidates + top_.size() && add_checkpoint(from, to);
    filter(checkpoints_.back().alpha, from, to);
    from = checkpoints_.back().pool_begin;
    pools_.resize(from + candidates_.count + top_.size());
    auto pool = std::copy_n(candidates_.documents.begin(), candidates_.count,
                            pools_.begin() + static_cast<std::ptrdiff_t>(from));
    for (const Place& place : top_) *pool++ = place.document;
    to = pools_.size();
    if (!nearer || candidates_.count <= kFewCandidates) return;
  }
}

std::size_t KineticWalk::lowest_at(const Ahead& ahead) const {
  std::size_t lowest = 0;
  double level = kNever;
  for (std::size_t k = 0; k < top_.size(); ++k) {
    const double there = ahead(top_[k].line);
    lowest = there < level ? k : lowest;
    level = there < level ? there : level;
  }
  return lowest;
}

// The documents of a pool that are not below all of the first τ at `end`.
void KineticWalk::filter(double end, std::size_t from, std::size_t to) {
  const Ahead ahead(end);
  const double error =
      kCrossingRounding * (ahead.stay * largest_intercept_ + std::abs(ahead.rise) * largest_slope_);
  const double level = ahead(top_[lowest_at(ahead)].line) - error;
  std::size_t kept = 0;
  for (std::size_t p = from; p < to; ++p) {
    const std::uint32_t document = pools_[p];
    const Line line = lines_[document];
    candidates_.set(kept, line, document);
    kept += static_cast<std::size_t>(ahead(line) >= level) & (is_top_[document] ^ 1U);
  }
  candidates_.count = kept;
}

// Adds a nearer checkpoint, where a part of the pool has passed the lowest of the first τ. False if
// there is none.
bool KineticWalk::add_checkpoint(std::size_t from, std::size_t to) {
  const std::size_t count = to - from;
  const Line lowest = top_[lowest_at(Ahead(checkpoints_.back().alpha))].line;
  std::array<double, kSamples> samples;
  std::size_t used = 0;
  for (std::size_t s = 0; s < kSamples; ++s) {
    const Line& line = lines_[pools_[from + (2 * s + 1) * count / (2 * kSamples)]];
    const double alpha = indexed_crossing(lowest, line, 0);
    if (alpha > now_ && alpha < checkpoints_.back().alpha) samples[used++] = alpha;
  }
  if (used == 0) return false;
  const std::size_t k = std::min(used - 1, kSamples * kAimedCandidates / count);
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(k),
                   samples.begin() + static_cast<std::ptrdiff_t>(used));
  checkpoints_.push_back({samples[k], to});
  return true;
}

}  // namespace podium
