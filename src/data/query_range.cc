#include "podium/dataset.h"

namespace podium {
namespace {

template <class T>
Buffer<T> part_of(const Buffer<T>& buffer, std::size_t begin, std::size_t end,
                  std::size_t each = 1) {
  return buffer.empty() ? buffer : buffer.slice(begin * each, (end - begin) * each);
}

Strings part_of(const Strings& strings, std::size_t begin, std::size_t end) {
  if (strings.empty()) return {};
  return {strings.begin.slice(begin, end - begin + 1), strings.chars};
}

// Ascending offsets, relative to the first.
std::vector<std::uint64_t> from_zero(std::span<const std::uint64_t> offsets) {
  std::vector<std::uint64_t> moved(offsets.begin(), offsets.end());
  for (std::uint64_t& offset : moved) offset -= offsets.front();
  return moved;
}

}  // namespace

Dataset query_range(const Dataset& data, std::size_t first, std::size_t last) {
  const DatasetParts& from = data.parts();
  if (first == 0 && last == data.queries()) return data;
  const auto query_begin = from.query_begin.view(first, last - first + 1);
  const std::size_t begin = query_begin.front(), end = query_begin.back();
  DatasetParts parts;
  parts.features = from.features;
  parts.feature_names = from.feature_names;
  parts.schema = from.schema;
  parts.absent = from.absent;
  parts.query_begin = from_zero(query_begin);
  parts.qids = part_of(from.qids, first, last);
  parts.query_weights = part_of(from.query_weights, first, last);
  parts.labels = part_of(from.labels, begin, end);
  parts.document_weights = part_of(from.document_weights, begin, end);
  parts.positions = part_of(from.positions, begin, end);
  parts.docids = part_of(from.docids, begin, end);
  parts.hosts = part_of(from.hosts, begin, end);
  parts.input_rows = part_of(from.input_rows, begin, end);
  parts.label_expression = from.label_expression;
  if (!from.preference_begin.empty()) {
    const auto preferences = from.preference_begin.view(first, last - first + 1);
    parts.preference_begin = from_zero(preferences);
    parts.preferences = part_of(from.preferences, preferences.front(), preferences.back());
  }
  if (data.is_dense()) {
    parts.dense = part_of(from.dense, begin, end, from.features);
  } else {
    const auto row_begin = from.row_begin.view(begin, end - begin + 1);
    parts.columns = part_of(from.columns, row_begin.front(), row_begin.back());
    parts.values = part_of(from.values, row_begin.front(), row_begin.back());
    parts.row_begin = from_zero(row_begin);
  }
  return Dataset(std::move(parts));
}

}  // namespace podium
