#include "line_search/inversion_terms.h"

#include <algorithm>

#include "measures/labels.h"

namespace podium {

AdditiveTerms::AdditiveTerms(const LineQuery& query, std::span<const Atom> atoms, double units)
    : offset_(to_whole(query.offset * units)),
      weights_(query.documents(), 0),
      sums_(query.documents() + 1, 0) {
  for (std::size_t r = 0; r < query.rank_weights.size(); ++r)
    weights_[r] = query.rank_weights[r] * units;
  for (std::size_t r = 0; r < weights_.size(); ++r) sums_[r + 1] = sums_[r] + weights_[r];
  for (const Atom& atom : atoms) {
    double gain = 0;
    for (const std::uint32_t document : atom.documents) gain += query.gains[document];
    gains_.push_back(gain / atom.size());
    sizes_.push_back(atom.size());
  }
}

RelevantTerms::RelevantTerms(const LineQuery& query, std::span<const Atom> atoms) {
  const double from = query.relevant_from;
  for (const Atom& atom : atoms) {
    std::uint32_t relevant = 0;
    for (const std::uint32_t document : atom.documents)
      relevant += is_relevant(query.labels[document], from);
    relevant_.push_back(relevant);
    sizes_.push_back(atom.size());
    all_relevant_ += relevant;
  }
}

PrecisionTerms::PrecisionTerms(const LineQuery& query, std::span<const Atom> atoms, double units)
    : RelevantTerms(query, atoms),
      unit_(all_relevant_ > 0 ? units / all_relevant_ : 0),
      harmonic_(query.documents() + 1, 0) {
  for (std::size_t r = 0; r < query.documents(); ++r) {
    shares_.push_back(unit_ / static_cast<double>(r + 1));
    harmonic_[r + 1] = harmonic_[r] + 1 / static_cast<double>(r + 1);
  }
}

// The j-th position of the group is relevant with probability r/t, after R + j(r − 1)/(t − 1)
// relevant ones on average: Σ_j (R + 1 + js)/(rank + j + 1) from harmonic numbers.
std::int64_t PrecisionTerms::of_group(std::uint32_t atom, std::uint32_t rank,
                                      std::uint64_t above) const {
  const double t = sizes_[atom], r = relevant_[atom];
  if (r == 0) return 0;
  const double step = (r - 1) / (t - 1);
  const double first = static_cast<double>(above) + 1 - step * (static_cast<double>(rank) + 1);
  const double sum = step * t + first * (harmonic_[rank + sizes_[atom]] - harmonic_[rank]);
  return to_whole(sum * r / t * unit_);
}

std::int64_t FirstTerms::operator()(std::uint32_t atom, std::uint32_t rank,
                                    std::uint64_t above) const {
  if (above > 0 || relevant_[atom] == 0) return 0;
  double left = sizes_[atom], sum = 0;
  const double relevant = relevant_[atom];
  double chance = relevant / left;
  for (std::size_t r = rank; chance > 0; ++r) {
    sum += chance / static_cast<double>(r + 1);
    if (left == 1) break;
    chance *= (left - relevant) / (left - 1);
    --left;
  }
  return to_whole(sum * units_);
}

PairTerms::PairTerms(const LineQuery& query, std::span<const Atom> atoms, double units)
    : RelevantTerms(query, atoms) {
  const double from = query.relevant_from;
  for (const Atom& atom : atoms) {
    std::uint32_t bad = 0;
    for (const std::uint32_t document : atom.documents)
      bad += static_cast<double>(query.labels[document]) < from;
    bad_.push_back(bad);
    all_bad_ += bad;
  }
  const double pairs = all_relevant_ * all_bad_;
  unit_ = pairs > 0 ? units / pairs : 0;
}

namespace {

// The value of a list of one document is the probability of stopping at it.
double stop_of(const Measure& measure, float label) {
  const std::array list = {label};
  return measure.value({list, list}).value_or(0);
}

}  // namespace

// Descending.
std::vector<double> CascadeTerms::stops_of(const LineQuery& query) {
  std::vector<double> stops;
  for (const float label : query.ideal) {
    if (!(label > 0)) break;
    const double stop = stop_of(query.measure, label);
    if (stop > 0 && (stops.empty() || stops.back() != stop)) stops.push_back(stop);
    if (stops.size() > kGrades) break;
  }
  return stops;
}

bool CascadeTerms::fits(const LineQuery& query) {
  return query.documents() <= kMostDocuments && stops_of(query).size() <= kGrades;
}

CascadeTerms::CascadeTerms(const LineQuery& query, std::span<const Atom> atoms, double units)
    : units_(units) {
  const std::vector<double> stops = stops_of(query);
  for (const double stop : stops) {
    std::vector<double>& powers = powers_.emplace_back(query.documents() + 1, 1.0);
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * (1 - stop);
  }
  std::vector<double> reach;  // mean Π (1 − R) over the first p documents of a group
  for (const Atom& atom : atoms) {
    std::uint64_t mark = 0;
    reach.assign(atom.size() + 1, 0);
    reach[0] = 1;
    for (std::size_t m = 1; m <= atom.size(); ++m) {
      const float label = query.labels[atom.documents[m - 1]];
      const double stop = label > 0 ? stop_of(query.measure, label) : 0;
      const auto grade = std::find(stops.begin(), stops.end(), stop) - stops.begin();
      if (stop > 0) mark += std::uint64_t{1} << (16 * grade);
      for (std::size_t p = m; p > 0; --p)
        reach[p] = (static_cast<double>(m - p) * reach[p] +
                    static_cast<double>(p) * (1 - stop) * reach[p - 1]) /
                   static_cast<double>(m);
    }
    marks_.push_back(mark);
    first_chance_.push_back(static_cast<std::uint32_t>(chances_.size()));
    for (std::size_t p = 0; p < atom.size(); ++p) chances_.push_back(reach[p] - reach[p + 1]);
  }
  first_chance_.push_back(static_cast<std::uint32_t>(chances_.size()));
}

std::int64_t CascadeTerms::operator()(std::uint32_t atom, std::uint32_t rank,
                                      std::uint64_t above) const {
  double stops = 0;
  const std::uint32_t begin = first_chance_[atom], end = first_chance_[atom + 1];
  for (std::uint32_t p = begin; p < end; ++p)
    stops += chances_[p] / static_cast<double>(rank + (p - begin) + 1);
  for (std::size_t g = 0; g < powers_.size(); ++g, above >>= 16)
    stops *= powers_[g][above & kMostDocuments];
  return to_whole(stops * units_);
}

}  // namespace podium
