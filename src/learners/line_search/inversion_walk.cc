#include "learners/line_search/inversion_walk.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/random.h"
#include "learners/line_search/inversion_state.h"
#include "learners/line_search/relevant_state.h"

namespace podium {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 22;  // kept at a time

std::uint64_t ascending_key(double alpha) {
  const auto bits = std::bit_cast<std::uint64_t>(alpha);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}
double alpha_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key & ~sign : ~key);
}

}  // namespace

std::int64_t InversionWalk::walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                                 std::vector<Jump>& jumps) {
  make_atoms(query, lines);
  const auto with = [&](auto state) { return walk_with(state, range, jumps); };
  const auto with_relevant = [&]<class Terms>() {
    const bool single = atoms_.size() == lines.size();
    return single ? with(RelevantState<Terms>(query, atoms_))
                  : with(TermState<Terms>(query, atoms_));
  };
  switch (query.form) {
    case MeasureForm::additive:
      return with(TermState<AdditiveTerms>(query, atoms_));
    case MeasureForm::precision:
      return with_relevant.template operator()<PrecisionTerms>();
    case MeasureForm::first:
      return with_relevant.template operator()<FirstTerms>();
    case MeasureForm::pairs:
      return with_relevant.template operator()<PairTerms>();
    case MeasureForm::cascade:
      if (CascadeTerms::fits(query)) return with(TermState<CascadeTerms>(query, atoms_));
      break;
    case MeasureForm::constant:
    case MeasureForm::general:
      break;
  }
  return with(RankingState(query, atoms_));
}

// Identical lines are one atom where they tie; else they keep the convention's order, as documents
// of their own.
void InversionWalk::make_atoms(const LineQuery& query, const LineSpans& lines) {
  tie_order_ = query.tie_order;
  atoms_.clear();
  members_.resize(lines.size());
  std::size_t used = 0;
  const auto add = [&](std::span<const std::uint32_t> documents) {
    std::copy(documents.begin(), documents.end(),
              members_.begin() + static_cast<std::ptrdiff_t>(used));
    atoms_.push_back({lines[documents[0]], {members_.data() + used, documents.size()}});
    used += documents.size();
  };
  const bool expected = query.ties == Ties::expected;
  if (expected) twins_.find(lines);
  for (std::uint32_t i = 0; i < lines.size(); ++i)
    if (!expected || twins_.group_of(i) == Twins::kAlone) add({&i, 1});
  if (expected)
    for (const auto& group : twins_.groups()) add(group);
}

template <class State>
std::int64_t InversionWalk::walk_with(State& state, GridRange range, std::vector<Jump>& jumps) {
  kinds_.resize(atoms_.size());
  for (std::uint32_t atom = 0; atom < atoms_.size(); ++atom) kinds_[atom] = state.kind(atom);
  carriers_meet_ = State::kCarriersMeet;
  const std::size_t pairs = count_pairs();
  const std::vector<double> edges = slab_edges(range, pairs);
  std::int64_t start = 0, value = 0;
  for (std::size_t s = 0; s + 1 < edges.size(); ++s) {
    sort_atoms(edges[s]);
    const std::int64_t here = state.start(order_);
    if (s == 0)
      start = here;
    else if (here != value)  // crossings at the edge itself
      jumps.push_back({edges[s], here - value});
    value = here;
    find_crossings({edges[s], edges[s + 1]});
    sort_crossings();
    if (jumps.empty()) jumps.reserve(crossings_.size());
    for (std::size_t c = 0; c < crossings_.size();) {
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

// Quantiles of sampled crossings, so that about kMostPairs fall between two of them.
std::vector<double> InversionWalk::slab_edges(GridRange range, std::size_t pairs) const {
  constexpr std::size_t kSamples = 4096;
  const std::size_t n = atoms_.size();
  std::vector<double> edges = {range.low};
  if (pairs > kMostPairs) {
    Random random(n);
    std::vector<double> samples;
    for (std::size_t s = 0; s < kSamples; ++s) {
      const Line& i = atoms_[random.below(n)].line;
      const Line& j = atoms_[random.below(n)].line;
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

// By the order just behind `low`.
void InversionWalk::sort_atoms(double low) {
  order_.resize(atoms_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Line &x = atoms_[i].line, &y = atoms_[j].line;
    if (x.slope == y.slope && x.intercept == y.intercept)
      return tie_order_.empty() ? i < j : tie_order_[i] < tie_order_[j];
    if (low != -kNever) return is_above_after(low, x, y);
    return x.slope != y.slope ? x.slope < y.slope : x.intercept > y.intercept;
  });
}

// From the bottom up; each atom meets those below it.
void InversionWalk::find_crossings(GridRange range) {
  carriers_below_.clear();
  others_below_.clear();
  std::size_t found = 0;
  const auto add = [&](std::uint32_t i, const std::vector<AtomLine>& below) {
    if (crossings_.size() < found + below.size())
      crossings_.resize(std::max(found + below.size(), 2 * crossings_.size()));
    const Line upper = atoms_[i].line;
    for (const AtomLine& lower : below) {
      const double alpha = indexed_crossing(upper, lower.line, 0);
      crossings_[found] = {ascending_key(alpha), i, lower.atom};
      found += alpha < range.high;
    }
  };
  for (std::size_t p = order_.size(); p-- > 0;) {
    const std::uint32_t i = order_[p];
    if (kinds_[i] == AtomKind::ignored) continue;
    const bool carries = kinds_[i] == AtomKind::carrier;
    if (carries) add(i, others_below_);
    if (!carries || carriers_meet_) add(i, carriers_below_);
    (carries ? carriers_below_ : others_below_).push_back({atoms_[i].line, i});
  }
  crossings_.resize(found);
}

// By the upper bits of the key, least significant digit first; then the short stretches that agree
// in them. Where crossings stand that have equal keys does not matter.
void InversionWalk::sort_crossings() {
  constexpr std::size_t kRadixFrom = 2000;
  constexpr int kBits = 11;
  constexpr std::size_t kDigits = 3, kBuckets = std::size_t{1} << kBits;
  const auto less = [](const Crossing& x, const Crossing& y) { return x.key < y.key; };
  if (crossings_.size() < kRadixFrom) {
    std::sort(crossings_.begin(), crossings_.end(), less);
    return;
  }
  const auto digit = [](std::uint64_t key, std::size_t d) {
    return key >> (64 - kBits * static_cast<int>(kDigits - d)) & (kBuckets - 1);
  };
  std::vector<std::array<std::uint32_t, kBuckets>> counts(kDigits);
  for (const Crossing& crossing : crossings_)
    for (std::size_t d = 0; d < kDigits; ++d) ++counts[d][digit(crossing.key, d)];
  scratch_.resize(crossings_.size());
  for (std::size_t d = 0; d < kDigits; ++d) {
    auto& count = counts[d];
    if (count[digit(crossings_[0].key, d)] == crossings_.size()) continue;
    std::uint32_t begin = 0;
    for (std::uint32_t& c : count) {
      const std::uint32_t size = c;
      c = begin;
      begin += size;
    }
    for (const Crossing& crossing : crossings_)
      scratch_[count[digit(crossing.key, d)]++] = crossing;
    crossings_.swap(scratch_);
  }
  constexpr int kSorted = 64 - kBits * static_cast<int>(kDigits);
  for (std::size_t begin = 0; begin < crossings_.size();) {
    std::size_t end = begin + 1;
    while (end < crossings_.size() &&
           crossings_[end].key >> kSorted == crossings_[begin].key >> kSorted)
      ++end;
    if (end - begin > 1)
      std::sort(crossings_.begin() + static_cast<std::ptrdiff_t>(begin),
                crossings_.begin() + static_cast<std::ptrdiff_t>(end), less);
    begin = end;
  }
}

}  // namespace podium
