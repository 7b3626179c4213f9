#include "learners/threshold_boosting/threshold_rankers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace podium {
namespace {

constexpr std::size_t kDenseBlock = 16;  // features fetched at a time: a cache line of a row
constexpr std::size_t kDocumentChunk = 16384;

// One feature's values: of all documents in order, or of those listed while the others are absent.
struct Values {
  std::vector<std::uint32_t> documents;
  std::vector<float> values;
};

std::vector<Values> fetch(const Dataset& data, std::size_t begin, std::size_t end,
                          ThreadPool& pool) {
  std::vector<Values> columns(end - begin);
  const std::size_t documents = data.documents();
  if (documents == 0) return columns;
  const Rows rows = data.rows(0, documents);
  if (rows.is_dense()) {
    pool.run(columns.size(), [&](std::size_t c) {
      columns[c].values.resize(documents);
      for (std::size_t i = 0; i < documents; ++i) columns[c].values[i] = rows.dense(i)[begin + c];
    });
    return columns;
  }
  for (std::size_t i = 0; i < documents; ++i) {
    const auto [features, values] = rows.sparse(i);
    for (std::size_t k = 0; k < features.size(); ++k) {
      columns[features[k] - begin].documents.push_back(static_cast<std::uint32_t>(i));
      columns[features[k] - begin].values.push_back(values[k]);
    }
  }
  return columns;
}

struct Counted {
  double value;
  std::uint64_t count;
};
constexpr double kMissingValue = -HUGE_VAL;  // below all that are present

// The different values, ascending.
std::vector<Counted> count_values(const Values& column, std::size_t absent_count, float absent) {
  const auto or_missing = [](float x) { return std::isnan(x) ? kMissingValue : x + 0.0; };
  std::vector<double> sorted;
  sorted.reserve(column.values.size());
  for (const float x : column.values) sorted.push_back(or_missing(x));
  std::sort(sorted.begin(), sorted.end());
  std::vector<Counted> counted;
  for (const double x : sorted) {
    if (counted.empty() || counted.back().value != x) counted.push_back({x, 0});
    ++counted.back().count;
  }
  if (absent_count == 0) return counted;
  const double value = or_missing(absent);
  const auto at = std::lower_bound(counted.begin(), counted.end(), value,
                                   [](const Counted& c, double x) { return c.value < x; });
  if (at != counted.end() && at->value == value)
    at->count += absent_count;
  else
    counted.insert(at, {value, absent_count});
  return counted;
}

// The same over the documents of all ranks.
std::vector<Counted> over_ranks(std::vector<Counted> mine, Communicator& comm) {
  if (comm.size() == 1) return mine;
  std::vector<Counted> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(Counted));
    std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  std::sort(all.begin(), all.end(),
            [](const Counted& a, const Counted& b) { return a.value < b.value; });
  std::vector<Counted> merged;
  for (const Counted& c : all) {
    if (!merged.empty() && merged.back().value == c.value)
      merged.back().count += c.count;
    else
      merged.push_back(c);
  }
  return merged;
}

// In [low, high): halfway where a float lies there, and just below the smallest present value.
float threshold_between(double low, double high) {
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
      cuts.push_back(threshold_between(values[v].value, values[v + 1].value));
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
    cuts.push_back(threshold_between(values[v].value, values[v + 1].value));
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
  const std::size_t block = data.is_dense() ? kDenseBlock : data.features();
  for (std::size_t begin = 0; begin < data.features(); begin += block)
    encode(data, begin, std::min(begin + block, data.features()), most, context);
  for (Column& column : columns_) {
    column.offset = all_sums_;
    all_sums_ += column.sums();
  }
}

void ThresholdRankers::encode(const Dataset& data, std::size_t begin, std::size_t end,
                              std::size_t limit, Context& context) {
  std::vector<Values> fetched = fetch(data, begin, end, context.pool);
  const float absent = data.is_dense() ? 0.0F : data.parts().absent;
  std::vector<std::vector<Counted>> counted(fetched.size());
  context.pool.run(fetched.size(), [&](std::size_t c) {
    const std::size_t absent_count = documents_ - fetched[c].values.size();
    counted[c] = count_values(fetched[c], absent_count, absent);
  });
  for (auto& values : counted) values = over_ranks(std::move(values), context.comm);
  context.pool.run(fetched.size(), [&](std::size_t c) {
    Column& column = columns_[begin + c];
    column.cuts = cut(counted[c], limit);
    column.rest = code_of(absent, column.cuts);
    column.codes.reserve(fetched[c].values.size());
    for (const float x : fetched[c].values) column.codes.push_back(code_of(x, column.cuts));
    column.documents = std::move(fetched[c].documents);
  });
}

void ThresholdRankers::add_up(const Column& column, std::span<const std::int64_t> potentials,
                              std::int64_t total, std::span<std::int64_t> sums) const {
  const std::size_t listed = column.codes.size();
  if (listed == documents_) {
    for (std::size_t i = 0; i < listed; ++i) sums[column.codes[i]] += potentials[i];
    return;
  }
  for (std::size_t k = 0; k < listed; ++k) {
    const std::int64_t potential = potentials[column.documents[k]];
    sums[column.codes[k]] += potential;
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
  const bool all = column.codes.size() == documents_;
  for (std::size_t k = 0; k < column.codes.size(); ++k)
    h[all ? k : column.documents[k]] = of_code[column.codes[k]];
  return h;
}

std::vector<std::uint8_t> indicator(const ThresholdRanker& ranker, const Dataset& data,
                                    ThreadPool& pool) {
  std::vector<std::uint8_t> h(data.documents());
  parallel_for(pool, data.documents(), kDocumentChunk, [&](std::size_t begin, std::size_t end) {
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
      h[i] = std::isnan(x) ? ranker.missing == Tree::Node::Missing::right : x > ranker.threshold;
    }
  });
  return h;
}

}  // namespace podium
