#include "podium/dataset.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <xxhash.h>

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
  require_none_or(parts.preference_begin.size(), queries + 1, "offsets of preferences");
  if (!parts.schema.all_numbers() && parts.schema.categories().back().feature >= parts.features)
    throw Error(ErrorCode::data, "a feature that is no column is said to be a category");
}

struct Entry {
  std::uint32_t column;
  float value;
};

// A query's entries that are not 0, which are the same however its rows are stored.
class QueryEntries {
 public:
  explicit QueryEntries(std::uint64_t schema) : schema_(schema) {}
  std::uint64_t hash(const Rows& rows, std::span<const float> labels) {
    counts_.clear();
    std::size_t end = 0;
    for (std::size_t row = 0; row < rows.documents(); ++row) {
      const std::size_t begin = end;
      end = collect(rows, row, end);
      counts_.push_back(end - begin);
    }
    const std::uint64_t seed =
        XXH3_64bits_withSeed(labels.data(), labels.size_bytes(), rows.features() ^ schema_);
    const std::uint64_t shape =
        XXH3_64bits_withSeed(counts_.data(), counts_.size() * sizeof(counts_[0]), seed);
    return XXH3_64bits_withSeed(entries_.data(), end * sizeof(Entry), shape);
  }

 private:
  std::size_t collect(const Rows& rows, std::size_t row, std::size_t end) {
    const auto add = [&](std::size_t column, float value) {
      if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
      entries_[end] = {static_cast<std::uint32_t>(column), value};
      end += value != 0;
    };
    if (!rows.is_dense() && !std::isnan(rows.absent())) {
      const auto [columns, values] = rows.sparse(row);
      make_room(end + columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) add(columns[i], values[i]);
      return end;
    }
    std::span<const float> values;
    if (rows.is_dense()) {
      values = rows.dense(row);
    } else {
      scratch_.resize(rows.features());
      rows.copy(row, scratch_);
      values = scratch_;
    }
    make_room(end + values.size());
    for (std::size_t f = 0; f < values.size(); ++f) add(f, values[f]);
    return end;
  }
  void make_room(std::size_t size) {
    if (entries_.size() < size) entries_.resize(std::max(size, 2 * entries_.size()));
  }

  std::uint64_t schema_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> counts_;
  std::vector<float> scratch_;
};

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
         parts_.input_rows.bytes() + parts_.schema.bytes() + parts_.preference_begin.bytes() +
         parts_.preferences.bytes();
}

std::uint64_t Dataset::fingerprint(ThreadPool& pool) const {
  constexpr std::size_t kQueryChunk = 64;
  const std::uint64_t schema = parts_.schema.hash();
  return parallel_reduce(
      pool, queries(), kQueryChunk, std::uint64_t{0},
      [&](std::size_t begin, std::size_t end) {
        QueryEntries entries(schema);
        std::uint64_t sum = 0;
        for (std::size_t q = begin; q < end; ++q) sum += entries.hash(rows(q), labels(q));
        return sum;
      },
      [](std::uint64_t& sum, std::uint64_t part) { sum += part; });
}

std::uint64_t Dataset::fingerprint() const {
  ThreadPool alone(1);
  return fingerprint(alone);
}

}  // namespace podium
