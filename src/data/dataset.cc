#include "podium/dataset.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/random.h"
#include "data/content_hashes.h"
#include "podium/error.h"

namespace podium {
namespace {

void require(std::size_t given, std::size_t wanted, std::string_view what) {
  if (given != wanted)
    throw Error(ErrorCode::data,
                fmt::format("a data set needs {} {}, not {}", wanted, what, given));
}
void require_none_or(std::size_t given, std::size_t wanted, std::string_view what) {
  if (given != 0) require(given, wanted, what);
}

void check_sizes(const DatasetParts& parts) {
  const std::size_t documents = parts.labels.size(), queries = parts.qids.size();
  if (documents > 0 || !parts.query_begin.empty())
    require(parts.query_begin.size(), queries + 1, "query offsets");
  require(parts.feature_names.size(), parts.features, "feature names");
  if (parts.row_begin.empty()) {
    require(parts.dense.size(), documents * parts.features, "dense values");
  } else {
    require(parts.row_begin.size(), documents + 1, "row offsets");
    require(parts.columns.size(), parts.values.size(), "columns");
    require(parts.dense.size(), 0, "dense values as well as sparse ones");
  }
  require_none_or(parts.docids.size(), documents, "document ids");
  require_none_or(parts.hosts.size(), documents, "hosts");
  require_none_or(parts.document_weights.size(), documents, "document weights");
  require_none_or(parts.query_weights.size(), queries, "query weights");
  require_none_or(parts.positions.size(), documents, "positions");
  require_none_or(parts.input_rows.size(), documents, "input rows");
  if (!parts.schema.all_numbers() && parts.schema.categories().back().feature >= parts.features)
    throw Error(ErrorCode::data, "a category refers to a feature that does not exist");
}

}  // namespace

Strings make_strings(std::span<const std::string> values) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<char> chars;
  begin.reserve(values.size() + 1);
  for (const std::string& value : values) {
    chars.insert(chars.end(), value.begin(), value.end());
    begin.push_back(chars.size());
  }
  return {std::move(begin), std::move(chars)};
}

void Rows::copy(std::size_t row, std::span<float> out) const {
  if (is_dense()) {
    const auto from = dense(row);
    std::copy(from.begin(), from.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), absent_);
  const Sparse entries = sparse(row);
  for (std::size_t i = 0; i < entries.columns.size(); ++i)
    out[entries.columns[i]] = entries.values[i];
}

Dataset::Dataset(DatasetParts parts) : parts_(std::move(parts)) {
  if (parts_.feature_names.empty())
    for (std::size_t f = 1; f <= parts_.features; ++f)
      parts_.feature_names.push_back(std::to_string(f));
  check_sizes(parts_);
}

Rows Dataset::rows(std::size_t begin, std::size_t end) const {
  if (is_dense())
    return Rows(parts_.dense.view(begin * features(), (end - begin) * features()), features(),
                end - begin);
  const auto offsets = parts_.row_begin.view(begin, end - begin + 1);
  const std::size_t first = offsets.front(), count = offsets.back() - first;
  return Rows(offsets, parts_.columns.view(first, count).data(),
              parts_.values.view(first, count).data(), features(), parts_.absent);
}

std::size_t Dataset::bytes() const noexcept {
  const auto of = [](const Strings& strings) {
    return strings.begin.bytes() + strings.chars.bytes();
  };
  return parts_.query_begin.bytes() + parts_.labels.bytes() + of(parts_.qids) +
         parts_.dense.bytes() + parts_.row_begin.bytes() + parts_.columns.bytes() +
         parts_.values.bytes() + of(parts_.docids) + of(parts_.hosts) +
         parts_.document_weights.bytes() + parts_.query_weights.bytes() + parts_.positions.bytes() +
         parts_.input_rows.bytes() + parts_.schema.bytes();
}

std::uint64_t Dataset::query_key(std::size_t q) const {
  return content_ ? content_->query_keys[q] : hash_text(qid(q));
}

Dataset Dataset::with(DataContent content) const {
  require(content.query_keys.size(), queries(), "keys of queries");
  require_none_or(content.row_order.size(), documents(), "places of rows");
  Dataset same = *this;
  same.content_ = std::make_shared<const DataContent>(std::move(content));
  return same;
}

std::uint64_t Dataset::fingerprint(ThreadPool& pool) const {
  if (content_ && content_->fingerprint) return *content_->fingerprint;
  return content_hashes(*this, {}, pool).fingerprint;
}

std::uint64_t Dataset::fingerprint() const {
  ThreadPool alone(1);
  return fingerprint(alone);
}

}  // namespace podium
