#include "data/select_documents.h"

namespace podium {
namespace {

template <class T>
Buffer<T> gather(const Buffer<T>& from, const std::vector<std::size_t>& places) {
  if (from.empty()) return {};
  const auto all = from.view();
  std::vector<T> chosen;
  chosen.reserve(places.size());
  for (const std::size_t i : places) chosen.push_back(all[i]);
  return chosen;
}

Strings gather(const Strings& from, const std::vector<std::size_t>& places) {
  if (from.empty()) return {};
  std::vector<std::uint64_t> begin = {0};
  std::vector<char> chars;
  begin.reserve(places.size() + 1);
  for (const std::size_t i : places) {
    const std::string_view text = from[i];
    chars.insert(chars.end(), text.begin(), text.end());
    begin.push_back(chars.size());
  }
  return {std::move(begin), std::move(chars)};
}

void gather_rows(const Dataset& data, const std::vector<std::size_t>& documents,
                 DatasetParts& parts) {
  const Rows rows = data.rows(0, data.documents());
  if (data.is_dense()) {
    std::vector<float> dense;
    dense.reserve(documents.size() * data.features());
    for (const std::size_t d : documents) {
      const auto row = rows.dense(d);
      dense.insert(dense.end(), row.begin(), row.end());
    }
    parts.dense = std::move(dense);
    return;
  }
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (const std::size_t d : documents) {
    const auto row = rows.sparse(d);
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    row_begin.push_back(columns.size());
  }
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
}

// Pairs of which both documents are kept, by their new positions.
void keep_preferences(const Dataset& data, const std::vector<char>& keep,
                      const std::vector<std::size_t>& queries, DatasetParts& parts) {
  if (!data.has_preferences()) return;
  std::vector<std::uint64_t> begin = {0};
  std::vector<Preference> kept;
  for (const std::size_t q : queries) {
    std::vector<std::uint32_t> place;
    std::uint32_t next = 0;
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
      place.push_back(next);
      next += keep[d] != 0;
    }
    for (const Preference& pair : data.preferences(q))
      if (keep[data.begin(q) + pair.better] && keep[data.begin(q) + pair.worse])
        kept.push_back({place[pair.better], place[pair.worse], pair.weight});
    begin.push_back(kept.size());
  }
  parts.preference_begin = std::move(begin);
  parts.preferences = std::move(kept);
}

}  // namespace

Dataset select_documents(const Dataset& data, const std::vector<char>& keep) {
  std::vector<std::size_t> documents, queries;
  std::vector<std::uint64_t> query_begin = {0};
  for (std::size_t q = 0; q < data.queries(); ++q) {
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      if (keep[d]) documents.push_back(d);
    if (documents.size() == query_begin.back()) continue;
    queries.push_back(q);
    query_begin.push_back(documents.size());
  }
  const DatasetParts& from = data.parts();
  DatasetParts parts;
  parts.query_begin = std::move(query_begin);
  parts.labels = gather(from.labels, documents);
  parts.qids = gather(from.qids, queries);
  parts.features = from.features;
  parts.feature_names = from.feature_names;
  parts.schema = from.schema;
  parts.absent = from.absent;
  gather_rows(data, documents, parts);
  parts.docids = gather(from.docids, documents);
  parts.hosts = gather(from.hosts, documents);
  parts.document_weights = gather(from.document_weights, documents);
  parts.query_weights = gather(from.query_weights, queries);
  parts.positions = gather(from.positions, documents);
  parts.label_expression = from.label_expression;
  keep_preferences(data, keep, queries, parts);
  return Dataset(std::move(parts));
}

}  // namespace podium
