// Helpers of the data preparation tests: random data, dense and sparse, and an observer that
// collects notes.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/toy_data.h"

namespace podium::testing {

inline constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// The same data in sparse storage, without its zeros (or missing values, if absent is NaN).
inline Dataset to_sparse(const Dataset& data, float absent = 0) {
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    for (std::size_t f = 0; f < data.features(); ++f) {
      const float x = rows.dense(d)[f];
      if (std::isnan(absent) ? std::isnan(x) : x == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(x);
    }
    row_begin.push_back(columns.size());
  }
  DatasetParts parts = data.parts();
  parts.dense = {};
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

// Every feature of every document, row by row.
inline std::vector<float> all_values(const Dataset& data) {
  std::vector<float> values(data.documents() * data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d)
    rows.copy(d, std::span(values).subspan(d * data.features(), data.features()));
  return values;
}

// Equal as numbers, missing where the other is missing.
inline bool same_values(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) return false;
  return true;
}

// Small whole numbers (so values tie), many zeros, negatives, some missing, a constant feature.
inline Dataset rough_data(std::uint64_t seed, std::size_t queries = 12, std::size_t features = 5) {
  Random random(seed);
  std::vector<std::size_t> lengths;
  std::vector<float> values, labels;
  for (std::size_t q = 0; q < queries; ++q) {
    lengths.push_back(1 + random.below(9));
    for (std::size_t d = 0; d < lengths.back(); ++d) {
      labels.push_back(static_cast<float>(random.below(3)));
      for (std::size_t f = 0; f + 1 < features; ++f) {
        const auto roll = random.below(10);
        values.push_back(roll < 5    ? 0.0F
                         : roll == 5 ? kMissing
                                     : static_cast<float>(random.below(9)) - 3.5F);
      }
      values.push_back(2);
    }
  }
  return make_dataset(lengths, features, std::move(values), std::move(labels));
}

struct Listener : Observer {
  std::vector<std::string> notes;
  void note(std::string_view text) override { notes.emplace_back(text); }
};

}  // namespace podium::testing
