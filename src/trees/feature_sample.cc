#include "trees/feature_sample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/random.h"
#include "distributed/over_ranks.h"
#include "trees/feature_ranges.h"
#include "trees/sort_floats.h"

namespace podium {
namespace {

constexpr std::uint64_t kSampleStream = 0x62696E73;  // "bins": a separate random stream
constexpr std::size_t kSampleChunk = 4096;           // documents
constexpr std::size_t kGroup = 16;                   // features processed at a time
constexpr std::size_t kAhead = 16;                   // sampled rows prefetched before they are read
constexpr std::size_t kExchanged = 1 << 19;          // values of all ranks in one exchange, about

// The documents of this rank whose hash is small enough. `total`: of all ranks.
std::vector<std::uint32_t> choose(const std::vector<std::uint64_t>& keys, std::size_t most,
                                  std::size_t total) {
  std::vector<std::uint32_t> chosen;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  if (total > most) {
    // Four standard deviations below the bound.
    const auto bound = static_cast<double>(most);
    const double expected = std::max(0.5 * bound, bound - 4 * std::sqrt(bound));
    limit = static_cast<std::uint64_t>(expected / static_cast<double>(total) * 0x1.0p64);
  }
  for (std::size_t d = 0; d < keys.size(); ++d)
    if (keys[d] <= limit) chosen.push_back(static_cast<std::uint32_t>(d));
  return chosen;
}

// The values of the sampled rows by feature: all values of dense rows, the stored ones of sparse
// rows.
class SampledColumns {
 public:
  SampledColumns(const Dataset& data, std::vector<std::uint32_t> chosen)
      : data_(data), chosen_(std::move(chosen)) {
    if (!data.is_dense()) transpose();
  }
  std::size_t documents() const { return chosen_.size(); }

  // Of features first … last − 1.
  std::vector<std::vector<float>> read(std::size_t first, std::size_t last,
                                       ThreadPool& pool) const {
    std::vector<std::vector<float>> columns(last - first);
    if (!data_.is_dense()) {
      for (std::size_t f = first; f < last; ++f)
        columns[f - first].assign(stored_.begin() + static_cast<std::ptrdiff_t>(begin_[f]),
                                  stored_.begin() + static_cast<std::ptrdiff_t>(begin_[f + 1]));
      return columns;
    }
    for (auto& column : columns) column.resize(chosen_.size());
    parallel_for(pool, chosen_.size(), kSampleChunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const float* const later = dense_row(chosen_[std::min(i + kAhead, end - 1)]);
        __builtin_prefetch(later + first);
        __builtin_prefetch(later + last - 1);
        const float* const row = dense_row(chosen_[i]);
        for (std::size_t f = first; f < last; ++f) columns[f - first][i] = row[f];
      }
    });
    return columns;
  }

 private:
  const float* dense_row(std::size_t document) const {
    return data_.rows(document, document + 1).dense(0).data();
  }

  void transpose() {
    begin_.assign(data_.features() + 1, 0);
    const auto each_stored = [&](auto&& use) {
      for (const std::uint32_t d : chosen_) {
        const auto row = data_.rows(d, d + 1).sparse(0);
        for (std::size_t i = 0; i < row.columns.size(); ++i) use(row.columns[i], row.values[i]);
      }
    };
    each_stored([&](std::uint32_t f, float) { ++begin_[f + 1]; });
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    stored_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each_stored([&](std::uint32_t f, float x) { stored_[next[f]++] = x; });
  }

  const Dataset& data_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::size_t> begin_;  // of sparse data, by feature
  std::vector<float> stored_;
};

// Sorts and counts; `absent` further documents have the value `absent_value`.
FeatureSample count_values(std::vector<float> column, std::uint64_t absent, float absent_value) {
  FeatureSample sample;
  const auto missing =
      std::remove_if(column.begin(), column.end(), [](float x) { return std::isnan(x); });
  sample.missing = static_cast<std::uint64_t>(column.end() - missing);
  column.erase(missing, column.end());
  for (float& x : column) x += 0.0F;  // −0 is 0
  sort_floats(column);
  if (absent > 0 && std::isnan(absent_value)) {
    sample.missing += absent;
    absent = 0;
  }
  const auto add_absent = [&] {
    if (absent > 0) sample.values.add(absent_value, absent);
    absent = 0;
  };
  for (std::size_t i = 0; i < column.size();) {
    std::size_t end = i + 1;
    while (end < column.size() && column[end] == column[i]) ++end;
    std::uint64_t count = end - i;
    if (absent > 0 && absent_value == column[i]) count += std::exchange(absent, 0);
    if (absent > 0 && absent_value < column[i]) add_absent();
    sample.values.add(column[i], count);
    i = end;
  }
  add_absent();
  return sample;
}

void append(std::vector<std::byte>& bytes, const void* data, std::size_t count) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + count);
}

// Values and counts, 4 bytes each; counts are left out if all are 1.
std::vector<std::byte> to_bytes(std::span<const FeatureSample> samples) {
  std::vector<std::byte> bytes;
  for (const FeatureSample& sample : samples) {
    const std::vector<std::uint32_t> counts(sample.values.counts.begin(),
                                            sample.values.counts.end());
    const bool repeated = std::any_of(counts.begin(), counts.end(), [](auto n) { return n != 1; });
    const std::uint64_t head[] = {sample.missing, counts.size(), repeated};
    append(bytes, head, sizeof(head));
    append(bytes, sample.values.values.data(), counts.size() * sizeof(float));
    if (repeated) append(bytes, counts.data(), counts.size() * sizeof(std::uint32_t));
  }
  return bytes;
}

// The next sample of to_bytes().
FeatureSample take_sample(std::span<const std::byte>& bytes) {
  FeatureSample sample;
  const auto take = [&](void* out, std::size_t count) {
    if (count) std::memcpy(out, bytes.data(), count);
    bytes = bytes.subspan(count);
  };
  std::uint64_t head[3];
  take(head, sizeof(head));
  sample.missing = head[0];
  sample.values.values.resize(head[1]);
  take(sample.values.values.data(), head[1] * sizeof(float));
  std::vector<std::uint32_t> counts(head[1], 1);
  if (head[2]) take(counts.data(), head[1] * sizeof(std::uint32_t));
  sample.values.counts.assign(counts.begin(), counts.end());
  return sample;
}

ValueCounts merge(const ValueCounts& a, const ValueCounts& b) {
  ValueCounts merged;
  std::size_t i = 0, j = 0;
  while (i < a.values.size() || j < b.values.size()) {
    const bool from_a = j == b.values.size() || (i < a.values.size() && a.values[i] <= b.values[j]);
    const bool from_b = i == a.values.size() || (j < b.values.size() && b.values[j] <= a.values[i]);
    const float value = from_a ? a.values[i] : b.values[j];
    std::uint64_t count = 0;
    if (from_a) count += a.counts[i++];
    if (from_b) count += b.counts[j++];
    merged.add(value, count);
  }
  return merged;
}

// Adds up the samples of all ranks, and frees what has been read.
void gather(std::span<FeatureSample> samples, Context& context) {
  auto parts = context.comm.all_gather(to_bytes(samples));
  for (FeatureSample& sample : samples) sample = {};
  for (auto& bytes : parts) {
    std::span<const std::byte> rest = bytes;
    for (FeatureSample& sample : samples) {
      const FeatureSample part = take_sample(rest);
      sample.values = merge(sample.values, part.values);
      sample.missing += part.missing;
    }
    bytes = {};
  }
}

// A feature may be constant except for a value that is not in the sample.
void add_extremes(FeatureSample& sample, const FeatureRange& range) {
  sample.any_missing = range.missing != 0;
  ValueCounts extremes;
  if (range.low <= range.high) extremes.add(range.low + 0.0F, 0);
  if (range.low < range.high) extremes.add(range.high + 0.0F, 0);
  sample.values = merge(sample.values, extremes);
}

}  // namespace

std::vector<std::uint64_t> document_keys(const Dataset& data, Context& context) {
  std::vector<std::uint64_t> keys(data.documents());
  const std::uint64_t seed = mix(context.seed, kSampleStream);
  parallel_for(context.pool, data.queries(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t q = first; q < last; ++q) {
      const std::uint64_t query = mix(seed, data.query_key(q));
      const std::size_t begin = data.begin(q), count = data.end(q) - begin;
      const auto order = data.row_order(q);
      for (std::size_t i = 0; i < count; ++i)
        keys[begin + (order.empty() ? i : order[i])] = mix(query, i);
    }
  });
  return keys;
}

void sample_features(const Dataset& data, const std::vector<std::uint64_t>& keys,
                     std::size_t most_documents, Context& context,
                     const std::function<void(std::size_t, const FeatureSample&)>& consume) {
  const std::vector<FeatureRange> ranges = feature_ranges(data, context);
  const std::size_t documents = count_over_ranks(keys.size(), context.comm);
  const SampledColumns columns(data, choose(keys, most_documents, documents));
  // All ranks have the whole sample of the features that are exchanged: few at a time.
  const std::size_t sampled = std::max<std::size_t>(1, std::min(documents, most_documents));
  const auto threads = static_cast<std::size_t>(context.pool.threads());
  const std::size_t exchanged = std::max<std::size_t>(1, kExchanged / sampled);
  for (std::size_t first = 0; first < data.features(); first += kGroup) {
    const std::size_t last = std::min(data.features(), first + kGroup);
    auto values = columns.read(first, last, context.pool);
    const auto count = [&](std::size_t i) {
      const std::size_t absent = columns.documents() - values[i].size();
      return count_values(std::move(values[i]), absent, data.parts().absent);
    };
    const auto hand_over = [&](std::size_t i, FeatureSample& sample) {
      add_extremes(sample, ranges[first + i]);
      consume(first + i, sample);
    };
    if (context.comm.size() == 1) {  // one per thread at a time
      context.pool.run(values.size(), [&](std::size_t i) {
        FeatureSample sample = count(i);
        hand_over(i, sample);
      });
      continue;
    }
    std::vector<FeatureSample> samples(values.size());
    std::size_t counted = 0;
    for (std::size_t begin = 0; begin < samples.size(); begin += exchanged) {
      const std::size_t end = std::min(begin + exchanged, samples.size());
      if (counted < end) {  // as many as are exchanged, or as there are threads
        const std::size_t some = std::max(end - counted, threads);
        const std::size_t before = std::exchange(counted, std::min(counted + some, samples.size()));
        context.pool.run(counted - before,
                         [&](std::size_t i) { samples[before + i] = count(before + i); });
      }
      gather(std::span(samples).subspan(begin, end - begin), context);
      context.pool.run(end - begin, [&](std::size_t i) {
        hand_over(begin + i, samples[begin + i]);
        samples[begin + i] = {};
      });
    }
  }
}

}  // namespace podium
