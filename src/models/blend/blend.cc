#include "models/blend/blend.h"

#include <cmath>
#include <numeric>
#include <unordered_map>

#include "podium/error.h"

namespace podium {
namespace {

// Numbers of a member's inputs, added up by its features: binning makes several inputs of one.
std::vector<double> by_member_feature(const SavedModel& saved, const std::vector<double>& inputs) {
  std::vector<double> out(saved.features.size());
  std::size_t at = 0;
  for (std::size_t f = 0; f < out.size(); ++f)
    for (std::size_t k = 0; k < inputs_of(saved, f); ++k) out[f] += inputs[at++];
  return out;
}

// Adds factor · numbers of a member to those of the blend.
void add_by_name(const Blend& blend, const BlendMember& member, double factor,
                 const std::vector<double>& numbers, std::vector<double>& sum) {
  const auto columns = find_columns(blend.features, member.saved.features);
  for (std::size_t f = 0; f < columns.size(); ++f) sum[columns[f]] += factor * numbers[f];
}

}  // namespace

void add_scaled(double factor, std::span<const double> scores, std::vector<double>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * scores[i];
}

std::vector<double> score(const Blend& blend, const Dataset& data, Context& context) {
  std::vector<double> sum(data.documents());
  for (const BlendMember& member : blend.members)
    add_scaled(member.factor(), score(member.saved, data, context), sum);
  return sum;
}

std::vector<double> blended_importance(const Blend& blend) {
  std::vector<double> sum(blend.features.size());
  for (const BlendMember& member : blend.members) {
    const std::vector<double> sizes =
        by_member_feature(member.saved, importance(member.saved.model));
    const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    if (total > 0 && std::isfinite(total))
      add_by_name(blend, member, std::abs(member.weight) / total, sizes, sum);
  }
  return sum;
}

std::vector<double> blended_split_counts(const Blend& blend) {
  std::vector<double> sum(blend.features.size());
  for (const BlendMember& member : blend.members)
    add_by_name(blend, member, 1, by_member_feature(member.saved, split_counts(member.saved.model)),
                sum);
  return sum;
}

std::vector<std::size_t> find_columns(const std::vector<std::string>& blend,
                                      const std::vector<std::string>& member) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t f = 0; f < blend.size(); ++f) places.emplace(blend[f], f);
  std::vector<std::size_t> columns;
  columns.reserve(member.size());
  for (const std::string& name : member) {
    const auto found = places.find(name);
    if (found == places.end())
      throw Error(ErrorCode::data, "a blend lacks the feature '" + name + "' of a member");
    columns.push_back(found->second);
  }
  return columns;
}

std::vector<std::size_t> member_columns(const std::vector<std::string>& blend,
                                        const std::vector<std::string>& member) {
  return blend == member ? std::vector<std::size_t>() : find_columns(blend, member);
}

Dataset with_columns(const Dataset& data, std::span<const std::size_t> columns,
                     const std::vector<std::string>& names) {
  if (columns.empty()) return data;
  std::vector<float> dense(data.documents() * columns.size());
  std::vector<float> row(data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t i = 0; i < data.documents(); ++i) {
    rows.copy(i, row);
    for (std::size_t f = 0; f < columns.size(); ++f)
      dense[i * columns.size() + f] = row[columns[f]];
  }
  DatasetParts parts = data.parts();
  parts.features = columns.size();
  parts.feature_names = names;
  parts.schema = data.schema().selected(columns);
  parts.dense = std::move(dense);
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  return Dataset(std::move(parts));
}

}  // namespace podium
