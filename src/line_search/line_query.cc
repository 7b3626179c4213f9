#include "line_search/line_query.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "measures/aggregate.h"

namespace podium {
namespace {

std::size_t hash(const Line& line) {
  // + 0: merges the two zeros.
  const auto a = std::bit_cast<std::uint64_t>(line.slope + 0.0);
  const auto b = std::bit_cast<std::uint64_t>(line.intercept + 0.0);
  const std::uint64_t mixed = (a ^ std::rotl(b, 29)) * 0x9E3779B97F4A7C15U;
  return mixed >> 32;
}

bool identical(const Line& x, const Line& y) {
  return x.slope == y.slope && x.intercept == y.intercept;
}

}  // namespace

std::int64_t LineQuery::to_units(double value) const {
  if (measure.aggregation() == Aggregation::geometric)
    value = averaged_value(value, Aggregation::geometric);
  return to_whole(value * units);
}

std::int64_t LineQuery::evaluate(std::span<const float> by_rank,
                                 std::span<const std::uint32_t> ends) const {
  const RankedLabels ranking{by_rank, ideal};
  const bool tied = !ends.empty() && ends.size() < by_rank.size();
  return to_units(
      (tied ? measure.tied({ranking, ends}) : measure.value(ranking)).value_or(undefined));
}

void Twins::find(const LineSpans& lines) {
  const std::size_t size = std::bit_ceil(2 * lines.size() + 1);
  slots_.assign(size, kAlone);
  group_of_.assign(lines.size(), kAlone);
  groups_.clear();
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    std::size_t slot = hash(lines[i]) & (size - 1);
    while (slots_[slot] != kAlone && !identical(lines[slots_[slot]], lines[i]))
      slot = (slot + 1) & (size - 1);
    const std::uint32_t first = slots_[slot];
    if (first == kAlone) {
      slots_[slot] = i;
      continue;
    }
    if (group_of_[first] == kAlone) {
      group_of_[first] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({first});
    }
    group_of_[i] = group_of_[first];
    groups_[group_of_[i]].push_back(i);
  }
}

std::span<const double> Twins::shared(std::span<const double> gains) {
  shared_.assign(gains.begin(), gains.end());
  for (const auto& group : groups_) {
    double sum = 0;
    for (const std::uint32_t document : group) sum += gains[document];
    for (const std::uint32_t document : group)
      shared_[document] = sum / static_cast<double>(group.size());
  }
  return shared_;
}

}  // namespace podium
