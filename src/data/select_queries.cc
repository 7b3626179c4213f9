// Copies some queries of a data set, with all their data.
#include <numeric>

#include "podium/dataset.h"

namespace podium {
namespace {

// The parts [begin[q], begin[q + 1]) of an array, concatenated.
template <class T>
std::vector<T> select(const Buffer<T>& from, std::span<const std::size_t> queries,
                      const Dataset& data, std::size_t each = 1) {
  std::vector<T> out;
  if (from.empty()) return out;
  std::size_t total = 0;
  for (const std::size_t q : queries) total += data.end(q) - data.begin(q);
  out.reserve(total * each);
  for (const std::size_t q : queries) {
    const auto part = from.view(data.begin(q) * each, (data.end(q) - data.begin(q)) * each);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

Strings select(const Strings& from, std::span<const std::size_t> queries, const Dataset& data) {
  if (from.empty()) return {};
  std::vector<std::uint64_t> begin = {0};
  std::vector<char> chars;
  for (const std::size_t q : queries) {
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
      const std::string_view text = from[d];
      chars.insert(chars.end(), text.begin(), text.end());
      begin.push_back(chars.size());
    }
  }
  return {std::move(begin), std::move(chars)};
}

void select_sparse(const Dataset& data, std::span<const std::size_t> queries, DatasetParts& parts) {
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (const std::size_t q : queries) {
    const Rows rows = data.rows(q);
    for (std::size_t row = 0; row < rows.documents(); ++row) {
      const Rows::Sparse entries = rows.sparse(row);
      columns.insert(columns.end(), entries.columns.begin(), entries.columns.end());
      values.insert(values.end(), entries.values.begin(), entries.values.end());
      row_begin.push_back(columns.size());
    }
  }
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
}

DataContent select(const DataContent& from, std::span<const std::size_t> queries,
                   const Dataset& data) {
  DataContent content;
  for (const std::size_t q : queries) {
    content.query_keys.push_back(from.query_keys[q]);
    const auto order = data.row_order(q);
    content.row_order.insert(content.row_order.end(), order.begin(), order.end());
  }
  return content;
}

}  // namespace

Dataset select_queries(const Dataset& data, std::span<const std::size_t> queries) {
  const DatasetParts& from = data.parts();
  DatasetParts parts;
  parts.features = from.features;
  parts.feature_names = from.feature_names;
  parts.schema = from.schema;
  parts.absent = from.absent;
  std::vector<std::uint64_t> query_begin = {0}, input_rows;
  std::vector<std::string> qids;
  std::vector<float> query_weights;
  for (const std::size_t q : queries) {
    query_begin.push_back(query_begin.back() + data.end(q) - data.begin(q));
    qids.emplace_back(data.qid(q));
    if (!from.query_weights.empty()) query_weights.push_back(data.query_weight(q));
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      input_rows.push_back(data.input_row(d));
  }
  parts.query_begin = std::move(query_begin);
  parts.qids = make_strings(qids);
  parts.query_weights = std::move(query_weights);
  parts.input_rows = std::move(input_rows);
  parts.labels = select(from.labels, queries, data);
  parts.document_weights = select(from.document_weights, queries, data);
  parts.positions = select(from.positions, queries, data);
  parts.docids = select(from.docids, queries, data);
  parts.hosts = select(from.hosts, queries, data);
  if (data.is_dense())
    parts.dense = select(from.dense, queries, data, data.features());
  else
    select_sparse(data, queries, parts);
  const Dataset selected(std::move(parts));
  return data.content() ? selected.with(select(*data.content(), queries, data)) : selected;
}

}  // namespace podium
