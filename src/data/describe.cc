#include "podium/describe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/duplicates.h"
#include "data/present_features.h"

namespace podium {
namespace {

constexpr std::size_t kMostGrades = 64;

struct Tally {
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  double sum = 0;
  std::uint64_t seen = 0;     // values counted
  std::uint64_t missing = 0;  // how many of them are missing
  std::uint64_t zeros = 0;

  void add(float x) {
    ++seen;
    if (std::isnan(x)) {
      ++missing;
      return;
    }
    min = std::min(min, x);
    max = std::max(max, x);
    sum += x;
    zeros += x == 0;
  }
  void add(const Tally& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum;
    seen += other.seen;
    missing += other.missing;
    zeros += other.zeros;
  }
  void add_absent(float value, std::uint64_t count) {
    if (count == 0) return;
    add(value);
    seen += count - 1;
    (std::isnan(value) ? missing : zeros) += count - 1;
  }
};

// Divided into at most 16 ranges of documents, fewer for very wide data, independent of the number
// of threads.
std::vector<Tally> tally(const Dataset& data, ThreadPool& pool) {
  const std::size_t ranges = data.features() > 65536 ? 1 : 16;
  const std::size_t chunk = std::max<std::size_t>(1024, (data.documents() + ranges - 1) / ranges);
  auto totals = parallel_reduce(
      pool, data.documents(), chunk, std::vector<Tally>(),
      [&](std::size_t begin, std::size_t end) {
        std::vector<Tally> part(data.features());
        const Rows rows = data.rows(begin, end);
        for (std::size_t row = 0; row < rows.documents(); ++row) {
          if (rows.is_dense()) {
            const auto values = rows.dense(row);
            for (std::size_t f = 0; f < values.size(); ++f) part[f].add(values[f]);
          } else {
            const auto stored = rows.sparse(row);
            for (std::size_t i = 0; i < stored.columns.size(); ++i)
              part[stored.columns[i]].add(stored.values[i]);
          }
        }
        return part;
      },
      [&](std::vector<Tally>& total, const std::vector<Tally>& part) {
        total.resize(data.features());
        for (std::size_t f = 0; f < part.size(); ++f) total[f].add(part[f]);
      });
  totals.resize(data.features());
  for (Tally& t : totals)
    if (!data.is_dense()) t.add_absent(data.parts().absent, data.documents() - t.seen);
  return totals;
}

void describe_labels(const Dataset& data, DataDescription& out) {
  std::vector<float> labels(data.labels().begin(), data.labels().end());
  if (labels.empty()) return;
  std::sort(labels.begin(), labels.end());
  out.label_min = labels.front();
  out.label_max = labels.back();
  bool whole = true;
  for (std::size_t begin = 0, end = 0; begin < labels.size(); begin = end) {
    while (end < labels.size() && labels[end] == labels[begin]) ++end;
    whole = whole && labels[begin] == std::floor(labels[begin]);
    if (++out.distinct_labels <= kMostGrades) out.grades.emplace_back(labels[begin], end - begin);
  }
  if (!whole || out.distinct_labels > kMostGrades) out.grades.clear();
}

void describe_queries(const Dataset& data, DataDescription& out) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    lengths.push_back(labels.size());
    if (labels.empty()) continue;
    const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
    out.queries_without_relevant += *high <= 0;
    out.queries_of_one_grade += *low == *high;
  }
  if (lengths.empty()) return;
  std::sort(lengths.begin(), lengths.end());
  const std::size_t n = lengths.size();
  out.shortest = lengths.front();
  out.longest = lengths.back();
  out.median_length = 0.5 * static_cast<double>(lengths[(n - 1) / 2] + lengths[n / 2]);
  out.mean_length = static_cast<double>(data.documents()) / static_cast<double>(n);
}

// For wide data, only the features that are present.
void describe_features(const Dataset& all, Context& context, DataDescription& out) {
  const Dataset data = with_present_features(all, context);
  out.absent_features = all.features() - data.features();
  const auto tallies = tally(data, context.pool);
  std::vector<char> varies(data.features(), 0);
  for (std::size_t f = 0; f < tallies.size(); ++f) {
    const Tally& t = tallies[f];
    FeatureSummary& summary = out.feature.emplace_back();
    summary.name = data.feature_names()[f];
    if (const Strings* values = data.schema().values(f)) {
      summary.type = FeatureType::category;
      summary.categories = values->size();
    }
    summary.missing = t.missing;
    summary.zeros = t.zeros;
    if (t.seen > t.missing) {
      summary.min = t.min;
      summary.max = t.max;
      summary.mean = t.sum / static_cast<double>(t.seen - t.missing);
    }
    varies[f] = !summary.constant(data.documents());
    if (!varies[f]) out.constant_features.push_back(f);
  }
  out.duplicate_features = equal_columns(data, varies, context);
}

void describe_duplicates(const Dataset& data, Context& context, DataDescription& out) {
  std::vector<DuplicateRows> found(data.queries());
  parallel_for(context.pool, data.queries(), 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t q = first; q < last; ++q) found[q] = equal_rows(data, q);
  });
  for (const DuplicateRows& rows : found) {
    out.duplicate_documents += rows.duplicates;
    out.conflicting_documents += rows.conflicting;
    out.queries_with_conflicts += rows.conflicting > 0;
  }
}

}  // namespace

DataDescription describe(const Dataset& data, Context& context) {
  DataDescription out;
  out.queries = data.queries();
  out.documents = data.documents();
  out.features = data.features();
  out.ignored = data.schema().ignored();
  describe_labels(data, out);
  describe_queries(data, out);
  describe_features(data, context, out);
  describe_duplicates(data, context, out);
  const DatasetParts& parts = data.parts();
  out.dense = data.is_dense();
  out.stored_values = out.dense ? parts.dense.size() : parts.values.size();
  out.bytes = data.bytes();
  out.has_docids = data.has_docids();
  out.has_hosts = data.has_hosts();
  out.has_weights = !parts.document_weights.empty() || !parts.query_weights.empty();
  out.has_positions = !parts.positions.empty();
  return out;
}

}  // namespace podium
