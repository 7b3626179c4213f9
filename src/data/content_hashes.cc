#include "data/content_hashes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <xxhash.h>

namespace podium {
namespace {

constexpr std::size_t kHashedQueries = 64;  // per task
constexpr std::uint32_t kLabelColumn = std::numeric_limits<std::uint32_t>::max();

template <class T>
T one_zero_one_nan(T x) {
  return std::isnan(x) ? std::numeric_limits<T>::quiet_NaN() : x + T{0};
}

// The hash of one row's features and label.
class RowHasher {
 public:
  explicit RowHasher(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t operator()(const Rows& rows, std::size_t row, float label) {
    std::size_t end = collect(rows, row);
    entries_[end++] = {kLabelColumn, one_zero_one_nan(label)};
    return XXH3_64bits_withSeed(entries_.data(), end * sizeof(Entry), seed_);
  }

 private:
  struct Entry {
    std::uint32_t column;
    float value;
  };

  // Entries that are not 0; returns their number.
  std::size_t collect(const Rows& rows, std::size_t row) {
    std::size_t end = 0;
    const auto add = [&](std::size_t column, float value) {
      if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
      entries_[end] = {static_cast<std::uint32_t>(column), value};
      end += value != 0;
    };
    if (!rows.is_dense() && !std::isnan(rows.absent())) {
      const auto [columns, values] = rows.sparse(row);
      make_room(columns.size());
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
    make_room(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) add(f, values[f]);
    return end;
  }
  // One more than the entries: each is written before it is known to count; and the label.
  void make_room(std::size_t entries) {
    if (entries_.size() < entries + 1) entries_.resize(std::max(entries + 1, 2 * entries_.size()));
  }

  std::uint64_t seed_;
  std::vector<Entry> entries_;
  std::vector<float> scratch_;
};

template <class T>
std::uint64_t hash_of(const T& value, std::uint64_t seed) {
  return XXH3_64bits_withSeed(&value, sizeof(value), seed);
}

// A set of rows.
std::uint64_t set_hash(std::uint64_t sum, std::size_t rows) {
  const std::uint64_t words[] = {sum, rows};
  return hash_of(words, 0);
}

class QueryHasher {
 public:
  QueryHasher(const Dataset& data, std::span<const double> offset, std::uint64_t seed,
              ContentHashes& out)
      : data_(data), offset_(offset), out_(out), row_(seed) {}

  // Writes the hashes of the query and its rows; returns its part of the fingerprint.
  std::uint64_t hash(std::size_t q) {
    const std::size_t begin = data_.begin(q), count = data_.end(q) - begin;
    const Rows rows = data_.rows(q);
    const auto labels = data_.labels(q);
    const auto weights = data_.document_weights(q);
    const auto positions = data_.positions(q);
    std::uint64_t plain = 0, all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t hash = row_(rows, i, labels[i]);
      plain += hash;
      if (!weights.empty()) hash = hash_of(one_zero_one_nan(weights[i]), hash);
      if (!positions.empty()) hash = hash_of(positions[i], hash);
      if (!offset_.empty()) hash = hash_of(one_zero_one_nan(offset_[begin + i]), hash);
      all += hash;
      out_.rows[begin + i] = hash;
    }
    out_.queries[q] = hash_of(one_zero_one_nan(data_.query_weight(q)), set_hash(all, count));
    return set_hash(plain, count);
  }

 private:
  const Dataset& data_;
  std::span<const double> offset_;
  ContentHashes& out_;
  RowHasher row_;
};

}  // namespace

ContentHashes content_hashes(const Dataset& data, std::span<const double> offset,
                             ThreadPool& pool) {
  ContentHashes hashes;
  hashes.rows.resize(data.documents());
  hashes.queries.resize(data.queries());
  // Once: a schema may have millions of values.
  const std::uint64_t seed = data.features() ^ data.schema().hash();
  hashes.fingerprint = parallel_reduce(
      pool, data.queries(), kHashedQueries, std::uint64_t{0},
      [&](std::size_t begin, std::size_t end) {
        QueryHasher hasher(data, offset, seed, hashes);
        std::uint64_t sum = 0;
        for (std::size_t q = begin; q < end; ++q) sum += hasher.hash(q);
        return sum;
      },
      [](std::uint64_t& sum, std::uint64_t part) { sum += part; });
  return hashes;
}

}  // namespace podium
