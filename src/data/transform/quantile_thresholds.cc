// Exact quantiles of every feature, over one process's data or that of all ranks. The value at
// position k of all sorted values is the smallest v with more than k values ≤ v; ranks find it by
// bisection over the 2³² ordered values of float32: 32 sums of counts, for all requested positions
// at once. No rank sees the others' values.
//
// Quantiles of a value that occurs often coincide. If that leaves fewer thresholds than requested,
// the rest are quantiles of the values that no threshold equals yet, and so on.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/transform/imputation.h"
#include "data/transform/sorted_column.h"
#include "distributed/gathered.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

// Features processed at a time: few if their values are copied, and few if there are many
// thresholds.
constexpr std::size_t kDenseTogether = 16, kSparseTogether = 4096, kPlacesTogether = 1 << 20;

// float32 values as integers in the same order.
std::uint32_t key_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits >> 31 ? ~bits : bits | 0x80000000U;
}
float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key >> 31 ? key & 0x7FFFFFFFU : ~key);
}

// The values of the features, sorted, some features at a time.
class ColumnValues {
 public:
  ColumnValues(const Dataset& data, std::size_t count)
      : rows_(data.rows(0, data.documents())),
        features_(data.features()),
        together_(data.is_dense()
                      ? kDenseTogether
                      : std::clamp(kPlacesTogether / count, kDenseTogether, kSparseTogether)) {
    if (!rows_.is_dense()) transpose();
  }

  // Continues with the next features; false after the last.
  bool next(ThreadPool& pool) {
    first_ = last_;
    last_ = std::min(features_, first_ + together_);
    sorted_.assign(last_ - first_, SortedColumn({}, 0));
    dense_.resize(rows_.is_dense() ? sorted_.size() : 0);
    pool.run(sorted_.size(), [&](std::size_t i) {
      sorted_[i] = rows_.is_dense() ? read_dense(i) : read_sparse(first_ + i);
    });
    return !sorted_.empty();
  }
  std::size_t size() const noexcept { return sorted_.size(); }
  const SortedColumn& operator[](std::size_t i) const { return sorted_[i]; }

 private:
  SortedColumn read_dense(std::size_t i) {
    dense_[i].clear();
    dense_[i].reserve(rows_.documents());
    for (std::size_t d = 0; d < rows_.documents(); ++d)
      if (const float x = rows_.dense(d)[first_ + i]; !std::isnan(x)) dense_[i].push_back(x);
    return {dense_[i], 0};
  }
  SortedColumn read_sparse(std::size_t feature) {
    const std::size_t stored = next_[feature] - begin_[feature];
    const std::size_t zeros =
        std::isnan(rows_.absent()) ? 0 : rows_.documents() - stored - missing_[feature];
    return {{by_column_.data() + begin_[feature], stored}, zeros};
  }
  void transpose() {
    begin_.assign(features_ + 1, 0);
    missing_.assign(features_, 0);
    for (std::size_t d = 0; d < rows_.documents(); ++d)
      for (const std::uint32_t c : rows_.sparse(d).columns) ++begin_[c + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    next_.assign(begin_.begin(), begin_.end() - 1);
    by_column_.resize(begin_.back());
    for (std::size_t d = 0; d < rows_.documents(); ++d) {
      const auto row = rows_.sparse(d);
      for (std::size_t i = 0; i < row.columns.size(); ++i) {
        if (std::isnan(row.values[i]))
          ++missing_[row.columns[i]];
        else
          by_column_[next_[row.columns[i]]++] = row.values[i];
      }
    }
  }

  Rows rows_;
  std::size_t features_, together_, first_ = 0, last_ = 0;
  std::vector<std::vector<float>> dense_;
  std::vector<std::size_t> begin_, next_, missing_;  // of sparse data, by feature
  std::vector<float> by_column_;
  std::vector<SortedColumn> sorted_;
};

// The values at the given positions of all ranks' sorted values; places[c] for column c.
std::vector<std::vector<float>> values_at(const ColumnValues& columns,
                                          const std::vector<std::vector<std::size_t>>& places,
                                          Communicator& comm) {
  std::vector<std::vector<float>> values(columns.size());
  if (comm.size() == 1) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (const std::size_t place : places[c]) values[c].push_back(columns[c][place]);
    return values;
  }
  std::vector<std::uint32_t> low, high;  // the key is in low … high
  for (const auto& of_column : places) {
    low.resize(low.size() + of_column.size(), key_of(-std::numeric_limits<float>::infinity()));
    high.resize(low.size(), key_of(std::numeric_limits<float>::infinity()));
  }
  std::vector<std::int64_t> counts(low.size());
  for (int bit = 0; bit < 32; ++bit) {
    std::size_t i = 0;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t p = 0; p < places[c].size(); ++p, ++i)
        counts[i] = static_cast<std::int64_t>(
            columns[c].count_up_to(value_of(low[i] + (high[i] - low[i]) / 2)));
    comm.all_reduce_sum(std::span(counts));
    i = 0;
    for (const auto& of_column : places)
      for (std::size_t p = 0; p < of_column.size(); ++p, ++i) {
        const std::uint32_t middle = low[i] + (high[i] - low[i]) / 2;
        if (static_cast<std::size_t>(counts[i]) > of_column[p])
          high[i] = middle;
        else
          low[i] = std::min(middle + 1, high[i]);
      }
  }
  std::size_t i = 0;
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t p = 0; p < places[c].size(); ++p)
      values[c].push_back(value_of(low[i++]) + 0.0F);
  return values;
}

// The distinct values of each column over all ranks if there are at most `most`; if there are more,
// `most` + 1 of them.
std::vector<std::vector<float>> few_distinct(const ColumnValues& columns, std::size_t most,
                                             Communicator& comm) {
  std::vector<std::vector<float>> mine;
  for (std::size_t c = 0; c < columns.size(); ++c) mine.push_back(columns[c].distinct(most + 1));
  std::vector<std::vector<float>> all(columns.size());
  for (const auto& rank : gathered(mine, comm))
    for (std::size_t c = 0; c < all.size(); ++c) {
      std::vector<float> merged;
      std::set_union(all[c].begin(), all[c].end(), rank[c].begin(), rank[c].end(),
                     std::back_inserter(merged));
      if (merged.size() > most + 1) merged.resize(most + 1);
      all[c] = std::move(merged);
    }
  return all;
}

// The positions of the values equal to a given value among all ranks' sorted values.
struct Block {
  std::size_t begin, end;
};
std::vector<std::vector<Block>> blocks_of(const ColumnValues& columns,
                                          const std::vector<std::vector<float>>& values,
                                          Communicator& comm) {
  std::vector<std::int64_t> counts;
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (const float x : values[c])
      for (const float up_to : {std::nextafter(x, -std::numeric_limits<float>::infinity()), x})
        counts.push_back(static_cast<std::int64_t>(columns[c].count_up_to(up_to)));
  comm.all_reduce_sum(std::span(counts));
  std::vector<std::vector<Block>> blocks(columns.size());
  std::size_t at = 0;
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t i = 0; i < values[c].size(); ++i, at += 2)
      blocks[c].push_back(
          {static_cast<std::size_t>(counts[at]), static_cast<std::size_t>(counts[at + 1])});
  return blocks;
}

// The last positions of all but the last of k + 1 equal parts of n values.
std::vector<std::size_t> ends_of_shares(std::size_t n, std::size_t k) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i <= k; ++i) places.push_back((i * n + k) / (k + 1) - 1);
  return places;
}

// The same for n values without those of some blocks, which ascend.
std::vector<std::size_t> ends_outside(const std::vector<Block>& blocks, std::size_t n,
                                      std::size_t k) {
  for (const Block& block : blocks) n -= block.end - block.begin;
  std::vector<std::size_t> places = ends_of_shares(n, k);
  for (std::size_t& place : places)
    for (const Block& block : blocks)
      if (place >= block.begin) place += block.end - block.begin;
  return places;
}

std::vector<std::vector<float>> thresholds_of(const ColumnValues& columns, std::size_t count,
                                              Communicator& comm) {
  std::vector<std::vector<float>> cuts = few_distinct(columns, count + 1, comm);
  std::vector<std::int64_t> sizes(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    sizes[c] = static_cast<std::int64_t>(columns[c].size());
  comm.all_reduce_sum(std::span(sizes));

  // Columns with few values get all of them except the largest; the others get quantiles.
  std::vector<std::vector<std::size_t>> places(columns.size());
  std::vector<std::vector<float>> taken(columns.size());  // thresholds and the largest value
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (cuts[c].size() <= count + 1) {
      if (!cuts[c].empty()) cuts[c].pop_back();
      continue;
    }
    const auto n = static_cast<std::size_t>(sizes[c]);
    places[c] = ends_of_shares(n, count);
    places[c].push_back(n - 1);
  }
  const auto is_asked = [](const auto& of_column) { return !of_column.empty(); };
  while (std::any_of(places.begin(), places.end(), is_asked)) {
    const auto values = values_at(columns, places, comm);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (places[c].empty()) continue;
      places[c].clear();
      taken[c].insert(taken[c].end(), values[c].begin(), values[c].end());
      std::sort(taken[c].begin(), taken[c].end());
      taken[c].erase(std::unique(taken[c].begin(), taken[c].end()), taken[c].end());
      if (taken[c].size() <= count) continue;
      cuts[c].assign(taken[c].begin(), taken[c].end() - 1);
      taken[c].clear();
    }
    const auto blocks = blocks_of(columns, taken, comm);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!taken[c].empty())
        places[c] = ends_outside(blocks[c], static_cast<std::size_t>(sizes[c]),
                                 count + 1 - taken[c].size());
  }
  return cuts;
}

}  // namespace

std::vector<std::vector<float>> quantile_thresholds(const Dataset& data, int count,
                                                    Context& context) {
  if (count < 1) throw Error(ErrorCode::usage, "‹bins›: at least one threshold is needed");
  std::vector<std::vector<float>> cuts;
  ColumnValues columns(data, static_cast<std::size_t>(count));
  while (columns.next(context.pool))
    for (auto& of_feature : thresholds_of(columns, static_cast<std::size_t>(count), context.comm))
      cuts.push_back(std::move(of_feature));
  return cuts;
}

std::vector<float> medians(const Dataset& data, Context& context) {
  std::vector<float> found;
  ColumnValues columns(data, 1);
  while (columns.next(context.pool)) {
    std::vector<std::int64_t> sizes(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c)
      sizes[c] = static_cast<std::int64_t>(columns[c].size());
    context.comm.all_reduce_sum(std::span(sizes));
    std::vector<std::vector<std::size_t>> places(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (sizes[c] > 0) places[c] = {(static_cast<std::size_t>(sizes[c]) - 1) / 2};
    for (const auto& values : values_at(columns, places, context.comm))
      found.push_back(values.empty() ? 0 : values[0]);
  }
  return found;
}

}  // namespace podium
