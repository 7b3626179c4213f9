#include "learners/weak_rankers/threshold_rankers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trees/feature_sample.h"

namespace podium {
namespace {

constexpr std::size_t kRankedDocumentChunk = 16384;
constexpr std::size_t kRankedRowBlock = 1024;
// Quantiles come from at most about this many documents, the same for any number of ranks.
constexpr std::size_t kSampledDocuments = 200000;

struct Counted {
  double value;
  std::uint64_t count;
};
constexpr double kMissingValue = -HUGE_VAL;  // below all other values

// The distinct values, ascending.
std::vector<Counted> counted_values(const FeatureSample& sample) {
  std::vector<Counted> counted;
  if (sample.any_missing) counted.push_back({kMissingValue, sample.missing});
  for (std::size_t v = 0; v < sample.values.values.size(); ++v)
    counted.push_back({sample.values.values[v], sample.values.counts[v]});
  return counted;
}

// In [low, high): halfway if there is a float, and just below the smallest value that is present.
float cut_between(double low, double high) {
  if (low == kMissingValue)
    return std::nextafter(static_cast<float>(high), std::numeric_limits<float>::lowest());
  const auto middle = static_cast<float>((low + high) / 2);
  return middle > low && middle < high ? middle : static_cast<float>(low);
}

std::vector<float> cut(const std::vector<Counted>& values, std::size_t limit) {
  std::vector<float> cuts;
  if (values.size() < 2) return cuts;
  const std::size_t gaps = values.size() - 1;
  if (gaps <= limit) {
    for (std::size_t v = 0; v < gaps; ++v)
      cuts.push_back(cut_between(values[v].value, values[v + 1].value));
    return cuts;
  }
  const auto documents =
      std::accumulate(values.begin(), values.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const Counted& c) { return sum + c.count; });
  const double share = static_cast<double>(documents) / static_cast<double>(limit + 1);
  std::uint64_t below = 0;
  double next = share;
  for (std::size_t v = 0; v < gaps; ++v) {
    below += values[v].count;
    if (static_cast<double>(below) < next) continue;
    cuts.push_back(cut_between(values[v].value, values[v + 1].value));
    next = share * (std::floor(static_cast<double>(below) / share) + 1);
  }
  return cuts;
}

std::uint16_t code_of(float x, const std::vector<float>& cuts) {
  if (std::isnan(x)) return static_cast<std::uint16_t>(cuts.size() + 1);
  return static_cast<std::uint16_t>(std::lower_bound(cuts.begin(), cuts.end(), x) - cuts.begin());
}

}  // namespace

ThresholdRankers::ThresholdRankers(const Dataset& data, std::int64_t limit, Context& context)
    : documents_(data.documents()), columns_(data.features()) {
  const auto most =
      static_cast<std::size_t>(limit > 0 ? std::min(limit, kMostThresholds) : kMostThresholds);
  const std::size_t sampled =
      limit > 0 ? kSampledDocuments : std::numeric_limits<std::size_t>::max();
  sample_features(data, document_keys(data, context), sampled, context,
                  [&](std::size_t f, const FeatureSample& sample) {
                    columns_[f].cuts = cut(counted_values(sample), most);
                  });
  if (documents_ > 0) {
    if (data.is_dense())
      encode_dense(data, context.pool);
    else
      encode_sparse(data);
  }
  for (Column& column : columns_) {
    column.offset = all_sums_;
    all_sums_ += column.sums();
  }
}

void ThresholdRankers::encode_dense(const Dataset& data, ThreadPool& pool) {
  const std::size_t all = documents_ * columns_.size();
  codes_ = SpillArray<std::uint16_t>(all, storage_for(all * sizeof(std::uint16_t)));
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].begin = f * documents_;
    columns_[f].count = documents_;
  }
  parallel_for(pool, documents_, kRankedRowBlock, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    for (const Column& column : columns_) {
      const auto f = static_cast<std::size_t>(&column - columns_.data());
      for (std::size_t i = begin; i < end; ++i)
        codes_[column.begin + i] = code_of(rows.dense(i - begin)[f], column.cuts);
    }
  });
}

void ThresholdRankers::encode_sparse(const Dataset& data) {
  const Rows rows = data.rows(0, documents_);
  std::vector<std::size_t> stored(columns_.size());
  for (std::size_t i = 0; i < documents_; ++i)
    for (const std::uint32_t f : rows.sparse(i).columns) ++stored[f];
  std::size_t all = 0;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f].rest = code_of(rows.absent(), columns_[f].cuts);
    columns_[f].begin = all;
    all += stored[f];
  }
  const Storage storage = storage_for(all * (sizeof(std::uint16_t) + sizeof(std::uint32_t)));
  codes_ = SpillArray<std::uint16_t>(all, storage);
  listed_ = SpillArray<std::uint32_t>(all, storage);
  for (std::size_t i = 0; i < documents_; ++i) {
    const auto [features, values] = rows.sparse(i);
    for (std::size_t k = 0; k < features.size(); ++k) {
      Column& column = columns_[features[k]];
      const std::size_t at = column.begin + column.count++;
      codes_[at] = code_of(values[k], column.cuts);
      listed_[at] = static_cast<std::uint32_t>(i);
    }
  }
}

void ThresholdRankers::add_up(const Column& column, std::span<const std::int64_t> potentials,
                              std::int64_t total, std::span<std::int64_t> sums) const {
  const auto codes = codes_.view().subspan(column.begin, column.count);
  if (codes.size() == documents_) {
    for (std::size_t i = 0; i < codes.size(); ++i) sums[codes[i]] += potentials[i];
    return;
  }
  const auto listed = listed_.view().subspan(column.begin, column.count);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const std::int64_t potential = potentials[listed[k]];
    sums[codes[k]] += potential;
    total -= potential;
  }
  sums[column.rest] += total;
}

std::optional<ThresholdRanker> ThresholdRankers::choose(std::span<const std::int64_t> potentials,
                                                        Context& context) const {
  const std::int64_t total = std::accumulate(potentials.begin(), potentials.end(), std::int64_t{0});
  std::vector<std::int64_t> sums(all_sums_);
  context.pool.run(columns_.size(), [&](std::size_t f) {
    const Column& column = columns_[f];
    if (column.cuts.empty()) return;
    add_up(column, potentials, total, std::span(sums).subspan(column.offset, column.sums()));
  });
  context.comm.all_reduce_sum(std::span(sums));

  std::vector<ThresholdRanker> best(columns_.size());
  context.pool.run(columns_.size(), [&](std::size_t f) {
    const Column& column = columns_[f];
    const auto bins = std::span<const std::int64_t>(sums).subspan(column.offset, column.sums());
    const std::int64_t missing = bins.back();
    const auto offer = [&](std::int64_t r, std::size_t t, Tree::Node::Missing side) {
      if (std::abs(r) > std::abs(best[f].correlation))
        best[f] = {static_cast<std::uint32_t>(f), column.cuts[t], side, r};
    };
    std::int64_t below = 0;
    const std::int64_t present = std::accumulate(bins.begin(), bins.end() - 1, std::int64_t{0});
    for (std::size_t t = 0; t < column.cuts.size(); ++t) {
      below += bins[t];
      offer(present - below, t, Tree::Node::Missing::left);
      offer(present - below + missing, t, Tree::Node::Missing::right);
    }
  });
  const auto chosen = std::max_element(best.begin(), best.end(), [](const auto& a, const auto& b) {
    return std::abs(a.correlation) < std::abs(b.correlation);
  });
  if (chosen == best.end() || chosen->correlation == 0) return std::nullopt;
  return *chosen;
}

std::vector<std::uint8_t> ThresholdRankers::indicator(const ThresholdRanker& ranker) const {
  const Column& column = columns_[ranker.feature];
  const auto at = std::lower_bound(column.cuts.begin(), column.cuts.end(), ranker.threshold);
  const auto cut = static_cast<std::size_t>(at - column.cuts.begin());
  std::vector<std::uint8_t> of_code(column.sums());
  for (std::size_t code = 0; code < of_code.size(); ++code) of_code[code] = code > cut;
  of_code.back() = ranker.missing == Tree::Node::Missing::right;
  std::vector<std::uint8_t> h(documents_, of_code[column.rest]);
  const auto codes = codes_.view().subspan(column.begin, column.count);
  const bool all = codes.size() == documents_;
  for (std::size_t k = 0; k < codes.size(); ++k)
    h[all ? k : listed_[column.begin + k]] = of_code[codes[k]];
  return h;
}

std::vector<std::uint8_t> indicator(const ThresholdRanker& ranker, const Dataset& data,
                                    ThreadPool& pool) {
  std::vector<std::uint8_t> h(data.documents());
  parallel_for(
      pool, data.documents(), kRankedDocumentChunk, [&](std::size_t begin, std::size_t end) {
        const Rows rows = data.rows(begin, end);
        for (std::size_t i = begin; i < end; ++i) {
          float x = rows.absent();
          if (rows.is_dense()) {
            x = rows.dense(i - begin)[ranker.feature];
          } else {
            const auto [columns, values] = rows.sparse(i - begin);
            const auto at = std::lower_bound(columns.begin(), columns.end(), ranker.feature);
            if (at != columns.end() && *at == ranker.feature)
              x = values[static_cast<std::size_t>(at - columns.begin())];
          }
          h[i] =
              std::isnan(x) ? ranker.missing == Tree::Node::Missing::right : x > ranker.threshold;
        }
      });
  return h;
}

}  // namespace podium
