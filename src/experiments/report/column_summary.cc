#include "experiments/report/column_summary.h"

#include <algorithm>
#include <cmath>

#include <xxhash.h>

namespace podium {
namespace {

// Of each feature, the documents that have a value.
std::vector<std::uint64_t> count_present(const Dataset& part, const std::vector<char>& in_use) {
  std::vector<std::uint64_t> present(part.features());
  for (std::size_t q = 0; q < part.queries(); ++q) {
    if (!in_use[q]) continue;
    const Rows rows = part.rows(q);
    const bool absent_is_value = !rows.is_dense() && !std::isnan(rows.absent());
    if (absent_is_value)
      for (std::uint64_t& count : present) count += rows.documents();
    for (std::size_t d = 0; d < rows.documents(); ++d) {
      if (rows.is_dense()) {
        const auto values = rows.dense(d);
        for (std::size_t f = 0; f < values.size(); ++f) present[f] += !std::isnan(values[f]);
        continue;
      }
      const auto stored = rows.sparse(d);
      for (std::size_t i = 0; i < stored.columns.size(); ++i) {
        const bool missing = std::isnan(stored.values[i]);
        if (absent_is_value && missing) --present[stored.columns[i]];
        if (!absent_is_value && !missing) ++present[stored.columns[i]];
      }
    }
  }
  return present;
}

}  // namespace

std::vector<std::size_t> ColumnSummaryBuilder::places_of(const Dataset& part) {
  const std::vector<std::string>& names = part.feature_names();
  std::vector<std::size_t> places(names.size());
  if (names_.empty()) names_ = names;
  for (std::size_t f = 0; f < names.size(); ++f) {
    places[f] = f;
    if (f < names_.size() && names_[f] == names[f]) continue;
    if (places_.empty())
      for (std::size_t known = 0; known < names_.size(); ++known)
        places_.emplace(names_[known], known);
    const auto [found, is_new] = places_.emplace(names[f], names_.size());
    if (is_new) names_.push_back(names[f]);
    places[f] = found->second;
  }
  present_.resize(names_.size());
  covered_.resize(names_.size());
  return places;
}

void ColumnSummaryBuilder::add(const Dataset& part, const std::vector<char>& in_use) {
  for (const std::string& name : part.schema().ignored())
    if (std::find(ignored_.begin(), ignored_.end(), name) == ignored_.end())
      ignored_.push_back(name);
  if (std::find(in_use.begin(), in_use.end(), 1) == in_use.end()) return;
  const std::vector<std::size_t> places = places_of(part);
  const std::vector<std::uint64_t> present = count_present(part, in_use);
  for (std::size_t f = 0; f < present.size(); ++f) present_[places[f]] += present[f];
  std::uint64_t documents = 0;
  for (std::size_t q = 0; q < part.queries(); ++q)
    if (in_use[q]) documents += part.end(q) - part.begin(q);
  documents_ += documents;
  if (!std::isnan(part.rows(0).absent())) {  // columns that the part lacks have values, too
    filled_ += documents;
    for (const std::size_t place : places) covered_[place] += documents;
  }
  for (const auto& category : part.schema().categories()) {
    auto& known = values_[places[category.feature]];
    for (std::size_t v = 0; v < category.values.size(); ++v) {
      const std::string_view value = category.values[v];
      known.insert(XXH3_64bits(value.data(), value.size()));
    }
  }
}

ColumnSummary ColumnSummaryBuilder::finish() const {
  ColumnSummary out;
  out.categories = values_.size();
  out.ignored = ignored_;
  for (std::size_t f = 0; f < names_.size(); ++f) {
    const auto values = values_.find(f);
    const bool category = values != values_.end();
    const std::uint64_t missing = documents_ - present_[f] - (filled_ - covered_[f]);
    out.with_missing += missing > 0;
    if (!category && missing == 0) continue;
    out.columns.push_back({names_[f], category ? FeatureType::category : FeatureType::number,
                           category ? values->second.size() : 0, missing});
  }
  std::stable_sort(out.columns.begin(), out.columns.end(), [](const auto& a, const auto& b) {
    if (a.type != b.type) return a.type == FeatureType::category;
    return a.missing > b.missing;
  });
  if (out.columns.size() > ColumnSummary::kMost) out.columns.resize(ColumnSummary::kMost);
  return out;
}

}  // namespace podium
