#include "data/content.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>

#include "core/random.h"
#include "core/spill_array.h"
#include "data/content_hashes.h"
#include "data/equal_weights.h"
#include "data/sort_preferences.h"

namespace podium {
namespace {

constexpr std::size_t kOrderedQueries = 64;  // per task

// The hashes of queries on lower ranks, ascending.
std::vector<std::uint64_t> on_lower_ranks(std::span<const std::uint64_t> mine, Communicator& comm) {
  if (comm.size() == 1) return {};
  const auto all = comm.all_gather(std::as_bytes(mine));
  std::vector<std::uint64_t> lower;
  for (int rank = 0; rank < comm.rank(); ++rank) {
    const auto& bytes = all[static_cast<std::size_t>(rank)];
    const std::size_t before = lower.size();
    lower.resize(before + bytes.size() / sizeof(std::uint64_t));
    if (!bytes.empty()) std::memcpy(lower.data() + before, bytes.data(), bytes.size());
  }
  std::sort(lower.begin(), lower.end());
  return lower;
}

// Equal hashes are numbered over all ranks, and the number changes all but the first.
std::vector<std::uint64_t> distinct_keys(std::vector<std::uint64_t> hashes, Communicator& comm) {
  const std::vector<std::uint64_t> lower = on_lower_ranks(hashes, comm);
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
  });
  std::vector<std::uint64_t> keys = hashes;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t hash = hashes[order[i]];
    if (i > 0 && hash == hashes[order[i - 1]]) {
      ++number;
    } else {
      const auto [first, last] = std::equal_range(lower.begin(), lower.end(), hash);
      number = static_cast<std::uint64_t>(last - first);
    }
    if (number > 0) keys[order[i]] = mix(hash, number);
  }
  return keys;
}

// The places of each query's rows by ascending hash; empty if that is how they are stored.
std::vector<std::uint32_t> order_of_rows(const Dataset& data, std::span<const std::uint64_t> hashes,
                                         ThreadPool& pool) {
  std::vector<std::uint32_t> order(data.documents());
  const std::size_t moved = parallel_reduce(
      pool, data.queries(), kOrderedQueries, std::size_t{0},
      [&](std::size_t first, std::size_t last) {
        std::size_t unordered = 0;
        for (std::size_t q = first; q < last; ++q) {
          const auto of = hashes.subspan(data.begin(q), data.end(q) - data.begin(q));
          const auto places = std::span(order).subspan(data.begin(q), of.size());
          std::iota(places.begin(), places.end(), 0U);
          if (std::is_sorted(of.begin(), of.end())) continue;
          ++unordered;
          std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
            return of[a] != of[b] ? of[a] < of[b] : a < b;
          });
        }
        return unordered;
      },
      [](std::size_t& sum, std::size_t part) { sum += part; });
  if (moved == 0) order.clear();
  return order;
}

// move(from, to) for every document, query by query.
template <class Move>
void for_each_row(const Dataset& data, std::size_t first, std::size_t last, Move&& move) {
  for (std::size_t q = first; q < last; ++q) {
    const auto order = data.row_order(q);
    for (std::size_t i = 0; i < order.size(); ++i)
      move(data.begin(q) + order[i], data.begin(q) + i);
  }
}

template <class T>
Buffer<T> ordered(const Buffer<T>& from, const Dataset& data) {
  if (from.empty()) return {};
  const auto values = from.view();
  std::vector<T> out(values.size());
  for_each_row(data, 0, data.queries(),
               [&](std::size_t d, std::size_t to) { out[to] = values[d]; });
  return out;
}

Strings ordered(const Strings& from, const Dataset& data) {
  if (from.empty()) return {};
  std::vector<std::uint64_t> begin = {0};
  std::vector<char> chars;
  begin.reserve(from.size() + 1);
  chars.reserve(from.chars.size());
  for_each_row(data, 0, data.queries(), [&](std::size_t d, std::size_t) {
    const std::string_view text = from[d];
    chars.insert(chars.end(), text.begin(), text.end());
    begin.push_back(chars.size());
  });
  return {std::move(begin), std::move(chars)};
}

template <class T>
Buffer<T> shared(SpillArray<T> array) {
  const auto owner = std::make_shared<const SpillArray<T>>(std::move(array));
  return Buffer<T>(owner->view(), owner);
}

void order_dense(const Dataset& data, DatasetParts& parts, ThreadPool& pool) {
  const std::size_t width = data.features(), size = data.documents() * width;
  SpillArray<float> dense(size, storage_for(size * sizeof(float)));
  parallel_for(pool, data.queries(), kOrderedQueries, [&](std::size_t first, std::size_t last) {
    const std::size_t begin = data.begin(first);
    const Rows rows = data.rows(begin, data.end(last - 1));
    for_each_row(data, first, last, [&](std::size_t d, std::size_t to) {
      const auto row = rows.dense(d - begin);
      std::copy(row.begin(), row.end(), dense.data() + to * width);
    });
  });
  parts.dense = shared(std::move(dense));
}

void order_sparse(const Dataset& data, DatasetParts& parts, ThreadPool& pool) {
  const auto from = data.parts().row_begin.view();
  std::vector<std::uint64_t> row_begin(data.documents() + 1, 0);
  for_each_row(data, 0, data.queries(),
               [&](std::size_t d, std::size_t to) { row_begin[to + 1] = from[d + 1] - from[d]; });
  std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
  const std::size_t size = row_begin.back();
  const Storage storage = storage_for(size * (sizeof(std::uint32_t) + sizeof(float)));
  SpillArray<std::uint32_t> columns(size, storage);
  SpillArray<float> values(size, storage);
  parallel_for(pool, data.queries(), kOrderedQueries, [&](std::size_t first, std::size_t last) {
    const std::size_t begin = data.begin(first);
    const Rows rows = data.rows(begin, data.end(last - 1));
    for_each_row(data, first, last, [&](std::size_t d, std::size_t to) {
      const Rows::Sparse row = rows.sparse(d - begin);
      std::copy(row.columns.begin(), row.columns.end(), columns.data() + row_begin[to]);
      std::copy(row.values.begin(), row.values.end(), values.data() + row_begin[to]);
    });
  });
  parts.row_begin = std::move(row_begin);
  parts.columns = shared(std::move(columns));
  parts.values = shared(std::move(values));
}

// Preferences by the new places of their documents.
void order_preferences(const Dataset& data, DatasetParts& parts) {
  if (!data.has_preferences()) return;
  std::vector<std::uint32_t> place(data.documents());  // within the query
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto order = data.row_order(q);
    for (std::size_t i = 0; i < order.size(); ++i)
      place[data.begin(q) + order[i]] = static_cast<std::uint32_t>(i);
  }
  std::vector<Preference> moved;
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (const Preference& pair : data.preferences(q))
      moved.push_back(
          {place[data.begin(q) + pair.better], place[data.begin(q) + pair.worse], pair.weight});
  parts.preference_begin = data.parts().preference_begin;
  for (std::size_t q = 0; q < data.queries(); ++q)
    sort_preferences(std::span(moved).subspan(
        parts.preference_begin[q], parts.preference_begin[q + 1] - parts.preference_begin[q]));
  parts.preferences = std::move(moved);
}

// Rows that are equal but for their preferences differ, and so do queries.
void add_preferences(const Dataset& data, ContentHashes& hashes) {
  if (!data.has_preferences()) return;
  const std::vector<std::uint64_t> rows = hashes.rows;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t begin = data.begin(q);
    std::uint64_t all = 0;
    for (const Preference& pair : data.preferences(q)) {
      const std::uint64_t weight = std::bit_cast<std::uint32_t>(pair.weight);
      const std::uint64_t better = rows[begin + pair.better], worse = rows[begin + pair.worse];
      hashes.rows[begin + pair.better] += mix(mix(worse, 1), weight);
      hashes.rows[begin + pair.worse] += mix(mix(better, 2), weight);
      all += mix(mix(better, worse), weight);
    }
    if (all != 0) hashes.queries[q] = mix(hashes.queries[q], all);
  }
}

// What belongs to documents, without features and names.
DatasetParts ordered_labels(const Dataset& data) {
  const DatasetParts& from = data.parts();
  DatasetParts parts;
  parts.query_begin = from.query_begin;
  parts.qids = from.qids;
  parts.query_weights = from.query_weights;
  parts.labels = ordered(from.labels, data);
  parts.document_weights = ordered(from.document_weights, data);
  parts.positions = ordered(from.positions, data);
  parts.docids = ordered(from.docids, data);  // losses on clicks go by them
  parts.label_expression = from.label_expression;
  order_preferences(data, parts);
  return parts;
}

bool stored_in_order(const Dataset& data) {
  return !data.content() || data.content()->row_order.empty();
}

Dataset without_row_order(Dataset data, DataContent content) {
  content.row_order.clear();
  return data.with(std::move(content));
}

}  // namespace

Dataset with_content(const Dataset& input, std::span<const double> offset, Context& context) {
  const Dataset data = without_equal_weights(input, context.comm);
  ContentHashes hashes = content_hashes(data, offset, context.pool);
  add_preferences(data, hashes);
  DataContent content;
  content.row_order = order_of_rows(data, hashes.rows, context.pool);
  content.query_keys = distinct_keys(std::move(hashes.queries), context.comm);
  content.fingerprint = hashes.fingerprint;
  return data.with(std::move(content));
}

Dataset in_content_order(const Dataset& data, ThreadPool& pool) {
  if (stored_in_order(data)) return data;
  const DatasetParts& from = data.parts();
  DatasetParts parts = ordered_labels(data);
  parts.features = from.features;
  parts.feature_names = from.feature_names;
  parts.schema = from.schema;
  parts.absent = from.absent;
  parts.hosts = ordered(from.hosts, data);
  std::vector<std::uint64_t> input_rows(data.documents());
  for_each_row(data, 0, data.queries(),
               [&](std::size_t d, std::size_t to) { input_rows[to] = data.input_row(d); });
  parts.input_rows = std::move(input_rows);
  if (data.is_dense())
    order_dense(data, parts, pool);
  else
    order_sparse(data, parts, pool);
  return without_row_order(Dataset(std::move(parts)), *data.content());
}

Dataset labels_in_content_order(const Dataset& data) {
  if (stored_in_order(data)) return data;
  return without_row_order(Dataset(ordered_labels(data)), *data.content());
}

std::vector<double> in_content_order(const Dataset& data, std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  if (!values.empty() && !stored_in_order(data))
    for_each_row(data, 0, data.queries(),
                 [&](std::size_t d, std::size_t to) { out[to] = values[d]; });
  return out;
}

}  // namespace podium
