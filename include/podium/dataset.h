// Data: documents grouped by query, with features and labels. A Dataset is immutable and cheap to
// copy; its arrays are shared, and live in memory or in a memory-mapped `.podium` file.
//
// The documents of a query are contiguous: query q holds documents begin(q) … end(q) − 1. Features
// are float32 rows, dense, or sparse (CSR) when few are present. A missing value is a NaN. Features
// that are categories hold codes: see feature_schema.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/buffer.h"
#include "podium/feature_schema.h"
#include "podium/thread_pool.h"

namespace podium {

// The features of consecutive documents.
class Rows {
 public:
  Rows(std::span<const float> dense, std::size_t features)
      : Rows(dense, features, features ? dense.size() / features : 0) {}
  Rows(std::span<const float> dense, std::size_t features, std::size_t documents)
      : features_(features), values_(dense.data()), documents_(documents) {}
  Rows(std::span<const std::uint64_t> row_begin, const std::uint32_t* columns, const float* values,
       std::size_t features, float absent)
      : features_(features),
        values_(values),
        columns_(columns),
        row_begin_(row_begin.data()),
        documents_(row_begin.size() - 1),
        absent_(absent) {}

  std::size_t documents() const noexcept { return documents_; }
  std::size_t features() const noexcept { return features_; }
  bool is_dense() const noexcept { return row_begin_ == nullptr; }
  // The value of a feature that a sparse row does not store: 0, or NaN for missing.
  float absent() const noexcept { return absent_; }

  std::span<const float> dense(std::size_t row) const {
    return {values_ + row * features_, features_};
  }
  struct Sparse {
    std::span<const std::uint32_t> columns;  // ascending
    std::span<const float> values;
  };
  Sparse sparse(std::size_t row) const {
    const std::size_t first = row_begin_[row] - row_begin_[0];
    const std::size_t count = row_begin_[row + 1] - row_begin_[row];
    return {{columns_ + first, count}, {values_ + first, count}};
  }
  // All features of a row, written to out (size features()).
  void copy(std::size_t row, std::span<float> out) const;

 private:
  std::size_t features_ = 0;
  const float* values_ = nullptr;
  const std::uint32_t* columns_ = nullptr;
  const std::uint64_t* row_begin_ = nullptr;
  std::size_t documents_ = 0;
  float absent_ = 0;
};

// The parts of a Dataset. The features are either in `dense` or in the three sparse arrays.
struct DatasetParts {
  Buffer<std::uint64_t> query_begin;  // queries + 1
  Buffer<float> labels;               // one per document
  Strings qids;                       // one per query
  std::size_t features = 0;
  std::vector<std::string> feature_names;  // empty: "1", "2", …
  FeatureSchema schema;                    // empty: all features are numbers
  Buffer<float> dense;                     // documents × features
  Buffer<std::uint64_t> row_begin;         // documents + 1; sparse when not empty
  Buffer<std::uint32_t> columns;
  Buffer<float> values;
  float absent = 0;
  // Optional, one per document or one per query; empty if there are none.
  Strings docids;
  Strings hosts;
  Buffer<float> document_weights;
  Buffer<float> query_weights;
  Buffer<std::int32_t> positions;
  Buffer<std::uint64_t> input_rows;  // the row of the input each document came from, if regrouped
};

// What queries and rows are, apart from names and order (data/content.h): training data has it, so
// that a model does not depend on how queries are called and in which order they come.
struct DataContent {
  std::vector<std::uint64_t> query_keys;  // one per query, all different
  // For each query the places of its rows, in the order of their content; empty if all rows are
  // stored in that order.
  std::vector<std::uint32_t> row_order;
  std::optional<std::uint64_t> fingerprint;  // of all queries, if known
};

class Dataset {
 public:
  Dataset() = default;
  // Throws an Error if sizes are inconsistent. The contents of the arrays are trusted: readers of
  // files check them (binary_cache on first use).
  explicit Dataset(DatasetParts parts);

  std::size_t queries() const noexcept { return parts_.qids.size(); }
  std::size_t documents() const noexcept { return parts_.labels.size(); }
  std::size_t features() const noexcept { return parts_.features; }
  bool is_dense() const noexcept { return parts_.row_begin.empty(); }

  std::size_t begin(std::size_t q) const { return parts_.query_begin[q]; }
  std::size_t end(std::size_t q) const { return parts_.query_begin[q + 1]; }
  std::span<const std::uint64_t> query_begin() const { return parts_.query_begin.view(); }

  std::span<const float> labels() const { return parts_.labels.view(); }
  std::span<const float> labels(std::size_t q) const { return of_query(parts_.labels, q); }
  Rows rows(std::size_t q) const { return rows(begin(q), end(q)); }
  Rows rows(std::size_t begin, std::size_t end) const;

  std::string_view qid(std::size_t q) const { return parts_.qids[q]; }
  const std::vector<std::string>& feature_names() const noexcept { return parts_.feature_names; }
  // The type of each feature. A category's values in rows() are codes: indices of its values in the
  // schema.
  const FeatureSchema& schema() const noexcept { return parts_.schema; }

  bool has_docids() const noexcept { return !parts_.docids.empty(); }
  std::string_view docid(std::size_t document) const { return parts_.docids[document]; }
  bool has_hosts() const noexcept { return !parts_.hosts.empty(); }
  std::string_view host(std::size_t document) const { return parts_.hosts[document]; }

  // 1 if no weights were given.
  float query_weight(std::size_t q) const {
    return parts_.query_weights.empty() ? 1.0F : parts_.query_weights[q];
  }
  // Empty when no weights (positions) were given.
  std::span<const float> document_weights(std::size_t q) const {
    return of_query(parts_.document_weights, q);
  }
  std::span<const std::int32_t> positions(std::size_t q) const {
    return of_query(parts_.positions, q);
  }

  // The row of the input file that a document came from, counted from 0.
  std::size_t input_row(std::size_t document) const {
    return parts_.input_rows.empty() ? document : parts_.input_rows[document];
  }

  const DatasetParts& parts() const noexcept { return parts_; }
  // Bytes of all arrays.
  std::size_t bytes() const noexcept;
  // What random choices for a query go by: its content, if that is known, else its name.
  std::uint64_t query_key(std::size_t q) const;
  // The places of query q's rows in the order of their content; empty: as they are stored.
  std::span<const std::uint32_t> row_order(std::size_t q) const {
    if (!content_ || content_->row_order.empty()) return {};
    return std::span(content_->row_order).subspan(begin(q), end(q) - begin(q));
  }
  // Null if it is not known: data/content.h finds it.
  const DataContent* content() const noexcept { return content_.get(); }
  // The same data, with its content.
  Dataset with(DataContent content) const;

  // A hash of labels, groups and features (categories by value) that depends neither on the order
  // of queries and rows nor on how they are stored. The hash of several parts is the (wrapping) sum
  // of theirs.
  std::uint64_t fingerprint() const;
  std::uint64_t fingerprint(ThreadPool& pool) const;

 private:
  template <class T>
  std::span<const T> of_query(const Buffer<T>& buffer, std::size_t q) const {
    if (buffer.empty()) return {};
    const auto ends = parts_.query_begin.view(q, 2);
    return buffer.view(ends[0], ends[1] - ends[0]);
  }

  DatasetParts parts_;
  std::shared_ptr<const DataContent> content_;
};

// The chosen queries, in that order, with all their data.
Dataset select_queries(const Dataset& data, std::span<const std::size_t> queries);
// Queries first … last − 1. The arrays are shared, not copied.
Dataset query_range(const Dataset& data, std::size_t first, std::size_t last);

}  // namespace podium
