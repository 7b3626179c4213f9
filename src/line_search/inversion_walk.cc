#include "line_search/inversion_walk.h"

#include <algorithm>

#include "core/random.h"
#include "line_search/crossing_sort.h"
#include "line_search/inversion_state.h"
#include "line_search/jump_buckets.h"
#include "line_search/relevant_state.h"

namespace podium {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 22;  // kept in memory at a time
constexpr std::size_t kCrossingsAtOnce = 64;              // between two checks of the stop token

}  // namespace

std::int64_t InversionWalk::walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                                 std::vector<Jump>& jumps) {
  list_.make(query, lines);
  stop_ = query.stop;
  const std::span<const Atom> atoms = list_.atoms();
  const auto with = [&](auto state) { return walk_with(state, range, jumps); };
  const auto with_relevant = [&]<class Terms>() {
    return list_.all_single() ? with(RelevantState<Terms>(query, atoms))
                              : with(TermState<Terms>(query, atoms));
  };
  switch (query.form) {
    case MeasureForm::Kind::additive:
      return with(TermState<AdditiveTerms>(query, atoms));
    case MeasureForm::Kind::precision:
      return with_relevant.template operator()<PrecisionTerms>();
    case MeasureForm::Kind::first:
      return with_relevant.template operator()<FirstTerms>();
    case MeasureForm::Kind::pairs:
      return with_relevant.template operator()<PairTerms>();
    case MeasureForm::Kind::cascade:
      if (CascadeTerms::fits(query)) return with(TermState<CascadeTerms>(query, atoms));
      break;
    case MeasureForm::Kind::constant:
    case MeasureForm::Kind::general:
      break;
  }
  return with(RankingState(query, atoms));
}

template <class State>
std::int64_t InversionWalk::walk_with(State& state, GridRange range, std::vector<Jump>& jumps) {
  kinds_.resize(list_.atoms().size());
  for (std::uint32_t atom = 0; atom < kinds_.size(); ++atom) kinds_[atom] = state.kind(atom);
  carriers_meet_ = State::kCarriersMeet;
  const std::size_t pairs = count_pairs();
  const std::vector<double> edges = slab_edges(range, pairs);
  std::int64_t start = 0, value = 0;
  for (std::size_t s = 0; s + 1 < edges.size(); ++s) {
    list_.sort(edges[s]);
    const std::int64_t here = state.start(list_.order());
    if (s == 0)
      start = here;
    else if (here != value)  // crossings at the edge itself
      jumps.push_back({edges[s], here - value});
    value = here;
    find_crossings({edges[s], edges[s + 1]});
    sort_by_key(crossings_, scratch_);
    if (jumps.empty()) jumps.reserve(crossings_.size());
    for (std::size_t c = 0, asked = 0; c < crossings_.size();) {
      if (c >= asked) {
        stop_();
        asked = c + kCrossingsAtOnce;
      }
      const std::uint64_t key = crossings_[c].key;
      const std::size_t first = c++;
      while (c < crossings_.size() && crossings_[c].key == key) ++c;
      std::int64_t after;
      if (c - first == 1) {
        after = state.cross_alone(crossings_[first].i, crossings_[first].j);
      } else {
        for (std::size_t x = first; x < c; ++x) state.cross(crossings_[x].i, crossings_[x].j);
        after = state.settle();
      }
      if (after != value) jumps.push_back({alpha_of(key), after - value});
      value = after;
    }
  }
  return start;
}

std::size_t InversionWalk::count_pairs() const {
  const auto count = [&](AtomKind kind) {
    return static_cast<std::size_t>(std::count(kinds_.begin(), kinds_.end(), kind));
  };
  const std::size_t carriers = count(AtomKind::carrier);
  return carriers * count(AtomKind::other) + (carriers_meet_ ? carriers * carriers / 2 : 0);
}

// Quantiles of sampled crossings, so that about kMostPairs are between two of them.
std::vector<double> InversionWalk::slab_edges(GridRange range, std::size_t pairs) const {
  constexpr std::size_t kSamples = 4096;
  const std::span<const Atom> atoms = list_.atoms();
  std::vector<double> edges = {range.low};
  if (pairs > kMostPairs) {
    Random random(atoms.size());
    std::vector<double> samples;
    for (std::size_t s = 0; s < kSamples; ++s) {
      const Line& i = atoms[random.below(atoms.size())].line;
      const Line& j = atoms[random.below(atoms.size())].line;
      if (i.slope == j.slope) continue;
      const double alpha = i.slope < j.slope ? crossing(i, j) : crossing(j, i);
      if (alpha > range.low && alpha < range.high) samples.push_back(alpha);
    }
    std::sort(samples.begin(), samples.end());
    const std::size_t slabs = pairs / kMostPairs + 1;
    for (std::size_t s = 1; s < slabs && !samples.empty(); ++s)
      if (const double edge = samples[s * samples.size() / slabs]; edge > edges.back())
        edges.push_back(edge);
  }
  edges.push_back(range.high);
  return edges;
}

// From the bottom up; each atom is compared with those below it.
void InversionWalk::find_crossings(GridRange range) {
  const std::span<const Atom> atoms = list_.atoms();
  const std::span<const std::uint32_t> order = list_.order();
  carriers_below_.clear();
  others_below_.clear();
  std::size_t found = 0;
  const auto add = [&](std::uint32_t i, const std::vector<AtomLine>& below) {
    if (crossings_.size() < found + below.size())
      crossings_.resize(std::max(found + below.size(), 2 * crossings_.size()));
    const Line upper = atoms[i].line;
    for (const AtomLine& lower : below) {
      const double alpha = indexed_crossing(upper, lower.line, 0);
      crossings_[found] = {ascending_key(alpha), i, lower.atom};
      found += alpha < range.high;
    }
  };
  for (std::size_t p = order.size(); p-- > 0;) {
    stop_();
    const std::uint32_t i = order[p];
    if (kinds_[i] == AtomKind::ignored) continue;
    const bool carries = kinds_[i] == AtomKind::carrier;
    if (carries) add(i, others_below_);
    if (!carries || carriers_meet_) add(i, carriers_below_);
    (carries ? carriers_below_ : others_below_).push_back({atoms[i].line, i});
  }
  crossings_.resize(found);
}

}  // namespace podium
