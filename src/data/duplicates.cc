#include "data/duplicates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace podium {
namespace {

constexpr std::size_t kRowsAChunk = 4096;

// Equal values have equal bits.
std::uint32_t canonical(float x) {
  if (std::isnan(x)) return std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN());
  return x == 0 ? 0 : std::bit_cast<std::uint32_t>(x);
}

std::uint64_t scramble(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93;
  return x ^ x >> 29;
}

std::uint64_t cell_hash(std::uint64_t where, std::uint32_t bits) {
  return scramble(scramble(where + 1) ^ bits);
}

// body(column, bits) for each value of the row that is not the absent one.
template <class Body>
void for_each_present(const Rows& rows, std::size_t row, Body&& body) {
  const std::uint32_t absent = rows.is_dense() ? 0 : canonical(rows.absent());
  if (rows.is_dense()) {
    const auto values = rows.dense(row);
    for (std::size_t f = 0; f < values.size(); ++f)
      if (const std::uint32_t bits = canonical(values[f]); bits != absent) body(f, bits);
    return;
  }
  const auto stored = rows.sparse(row);
  for (std::size_t i = 0; i < stored.columns.size(); ++i)
    if (const std::uint32_t bits = canonical(stored.values[i]); bits != absent)
      body(stored.columns[i], bits);
}

// Sums of cell hashes wrap, so their order does not matter; the division into ranges of rows only
// keeps threads busy.
std::vector<std::uint64_t> column_hashes(const Dataset& data, ThreadPool& pool) {
  const std::size_t chunk = std::max(kRowsAChunk, (data.documents() + 15) / 16);
  return parallel_reduce(
      pool, data.documents(), chunk, std::vector<std::uint64_t>(),
      [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint64_t> sums(data.features(), 0);
        const Rows rows = data.rows(begin, end);
        for (std::size_t row = 0; row < rows.documents(); ++row)
          for_each_present(rows, row, [&](std::size_t column, std::uint32_t bits) {
            sums[column] += cell_hash(begin + row, bits);
          });
        return sums;
      },
      [&](std::vector<std::uint64_t>& total, const std::vector<std::uint64_t>& part) {
        total.resize(data.features(), 0);
        for (std::size_t f = 0; f < part.size(); ++f) total[f] += part[f];
      });
}

std::uint32_t value_bits(const Rows& rows, std::size_t row, std::size_t column) {
  if (rows.is_dense()) return canonical(rows.dense(row)[column]);
  const auto stored = rows.sparse(row);
  const auto at = std::lower_bound(stored.columns.begin(), stored.columns.end(), column);
  if (at == stored.columns.end() || *at != column) return canonical(rows.absent());
  return canonical(stored.values[static_cast<std::size_t>(at - stored.columns.begin())]);
}

// Both numbers, or categories with the same values.
bool same_type(const FeatureSchema& schema, std::size_t a, std::size_t b) {
  const Strings *of_a = schema.values(a), *of_b = schema.values(b);
  return of_a && of_b ? same_values(*of_a, *of_b) : of_a == of_b;
}

bool same_column(const Dataset& data, std::size_t a, std::size_t b) {
  if (!same_type(data.schema(), a, b)) return false;
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t row = 0; row < rows.documents(); ++row)
    if (value_bits(rows, row, a) != value_bits(rows, row, b)) return false;
  return true;
}

using Cells = std::vector<std::pair<std::size_t, std::uint32_t>>;

Cells cells_of(const Rows& rows, std::size_t row) {
  Cells cells;
  for_each_present(
      rows, row, [&](std::size_t column, std::uint32_t bits) { cells.emplace_back(column, bits); });
  return cells;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> equal_columns(const Dataset& data,
                                                               const std::vector<char>& consider,
                                                               Context& context) {
  auto hashes = column_hashes(data, context.pool);
  for (const auto& category : data.schema().categories())
    hashes[category.feature] ^= FeatureSchema({{0, category.values}}).hash();
  std::map<std::uint64_t, std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> candidates;
  for (std::size_t f = 0; f < hashes.size(); ++f) {
    if (!consider[f]) continue;
    const auto [at, inserted] = first.emplace(hashes[f], f);
    if (!inserted) candidates.emplace_back(f, at->second);
  }
  std::vector<char> equal(candidates.size(), 0);
  parallel_for(context.pool, candidates.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      equal[c] = same_column(data, candidates[c].first, candidates[c].second);
  });
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (equal[c]) found.push_back(candidates[c]);
  return found;
}

DuplicateRows equal_rows(const Dataset& data, std::size_t q) {
  const Rows rows = data.rows(q);
  const auto labels = data.labels(q);
  std::vector<std::uint64_t> hashes(rows.documents(), 0);
  for (std::size_t row = 0; row < rows.documents(); ++row)
    for_each_present(rows, row, [&](std::size_t column, std::uint32_t bits) {
      hashes[row] += cell_hash(column, bits);
    });
  std::vector<std::size_t> order(rows.documents());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return hashes[a] < hashes[b]; });
  DuplicateRows found;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && hashes[order[end]] == hashes[order[begin]]) ++end;
    if (end - begin < 2) continue;
    std::map<Cells, std::vector<float>> groups;
    for (std::size_t i = begin; i < end; ++i)
      groups[cells_of(rows, order[i])].push_back(labels[order[i]]);
    for (const auto& group : groups) {
      const std::vector<float>& judged = group.second;
      if (judged.size() < 2) continue;
      found.duplicates += judged.size();
      const bool agree = std::all_of(judged.begin(), judged.end(),
                                     [&](float label) { return label == judged.front(); });
      if (!agree) found.conflicting += judged.size();
    }
  }
  return found;
}

}  // namespace podium
