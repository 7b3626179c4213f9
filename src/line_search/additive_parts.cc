#include "line_search/additive_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace podium {
namespace {

constexpr float kUnjudged = std::numeric_limits<float>::quiet_NaN();

// The measure of a list whose only judged document has this label and rank.
class Probe {
 public:
  Probe(const Measure& measure, std::size_t documents, std::span<const float> ideal)
      : measure_(measure), list_(documents, kUnjudged), ideal_(ideal), empty_(value()) {}

  double empty() const { return empty_; }
  double operator()(float label, std::size_t rank) {
    list_[rank] = label;
    const double more = value() - empty_;
    list_[rank] = kUnjudged;
    return more;
  }

 private:
  double value() const { return measure_.value({list_, ideal_}).value_or(0); }

  const Measure& measure_;
  std::vector<float> list_;
  std::span<const float> ideal_;
  double empty_;
};

}  // namespace

AdditiveParts additive_parts(const Measure& measure, std::span<const float> labels,
                             std::span<const float> ideal) {
  AdditiveParts parts;
  const std::size_t documents = labels.size();
  parts.gains.assign(documents, 0);
  if (documents == 0) return parts;
  Probe probe(measure, documents, ideal);
  parts.offset = probe.empty();
  std::unordered_map<float, double> seen;
  float strongest = kUnjudged;
  double most = 0;
  for (std::size_t i = 0; i < documents; ++i) {
    if (std::isnan(labels[i])) continue;
    const auto [known, is_new] = seen.try_emplace(labels[i], 0);
    if (is_new) known->second = probe(labels[i], 0);
    parts.gains[i] = known->second;
    if (std::abs(known->second) > std::abs(most)) {
      most = known->second;
      strongest = labels[i];
    }
  }
  if (most == 0) return parts;
  for (double& gain : parts.gains) gain /= most;
  const std::size_t ranks = std::min(measure.depth(), documents);
  if (const auto discount = measure.form().discount)  // avoids n probes of O(n) each
    for (std::size_t r = 0; r < ranks; ++r) parts.rank_weights.push_back(most * discount(r));
  else
    for (std::size_t r = 0; r < ranks; ++r) parts.rank_weights.push_back(probe(strongest, r));
  const auto same = [&](double weight) { return weight == parts.rank_weights[0]; };
  if (ranks == documents &&
      std::all_of(parts.rank_weights.begin(), parts.rank_weights.end(), same)) {
    for (const double gain : parts.gains) parts.offset += gain * parts.rank_weights[0];
    parts.rank_weights.clear();
  }
  return parts;
}

}  // namespace podium
