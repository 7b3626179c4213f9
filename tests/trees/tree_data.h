// Data with every kind of feature that trees treat differently, and raw traversal for comparison.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "podium/model.h"
#include "support/toy_data.h"

namespace podium::testing {

constexpr std::size_t kKinds = 8;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// continuous, few values, constant, mostly 0, some missing, mostly missing, huge, one heavy value
inline float draw_value(std::size_t kind, Random& random) {
  const double u = random.uniform();
  switch (kind % kKinds) {
    case 0:
      return static_cast<float>(u);
    case 1:
      return static_cast<float>(random.below(5)) - 2;
    case 2:
      return 3;
    case 3:
      return u < 0.93 ? 0 : static_cast<float>(random.below(7));
    case 4:
      return u < 0.3 ? kMissing : static_cast<float>(std::floor(u * 60));
    case 5:
      return u < 0.95 ? kMissing : static_cast<float>(u);
    case 6:
      return static_cast<float>((u - 0.5) * 6e38);
    default:
      return u < 0.6 ? -0.0F : static_cast<float>(std::exp(10 * u));
  }
}

inline Dataset mixed_data(std::size_t queries, std::size_t documents, std::size_t features,
                          std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < queries * documents; ++i) {
    for (std::size_t f = 0; f < features; ++f) values.push_back(draw_value(f, random));
    labels.push_back(static_cast<float>(random.below(4)));
  }
  return make_dataset(std::vector<std::size_t>(queries, documents), features, std::move(values),
                      std::move(labels));
}

// Two categories, one with more values than a byte can number, beside numbers of all kinds.
inline Dataset with_categories(std::size_t queries, std::uint64_t seed) {
  DatasetParts parts = mixed_data(queries, 60, 6, seed).parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  Random random(seed + 1);
  for (std::size_t i = 0; i < values.size(); i += 6) {
    values[i + 1] = random.below(8) == 0 ? kMissing : static_cast<float>(random.below(12));
    values[i + 3] = static_cast<float>(random.below(600));
  }
  parts.dense = std::move(values);
  std::vector<std::string> few, many;
  for (int v = 0; v < 12; ++v) few.push_back(std::to_string(v));
  for (int v = 0; v < 600; ++v) many.push_back(std::to_string(v));
  parts.schema = FeatureSchema({{1, make_strings(few)}, {3, make_strings(many)}});
  return Dataset(std::move(parts));
}

// The same data as sparse rows that omit values equal to `absent`.
inline Dataset as_sparse(const Dataset& data, float absent) {
  DatasetParts parts = data.parts();
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    for (std::size_t f = 0; f < data.features(); ++f) {
      const float x = rows.dense(d)[f];
      if (x == absent || (std::isnan(x) && std::isnan(absent))) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(x);
    }
    begin.push_back(columns.size());
  }
  parts.dense = {};
  parts.row_begin = std::move(begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  parts.absent = absent;
  return Dataset(std::move(parts));
}

struct Slopes {
  std::vector<double> first, second;
};

// Derivatives that depend on the features, with heavy tails.
inline Slopes draw_slopes(const Dataset& data, std::uint64_t seed) {
  Random random(seed);
  Slopes slopes;
  std::vector<float> row(data.features());
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    rows.copy(d, row);
    double g = random.uniform() - 0.5;
    for (std::size_t f = 0; f < row.size(); ++f) {
      const double x = std::isnan(row[f]) ? 0.3 : std::atan(static_cast<double>(row[f]));
      g += (f % 3 == 1 ? -0.4 : 0.3) * x;
    }
    const double tail = 1 / std::sqrt(random.uniform() + 1e-3);
    slopes.first.push_back(g * tail);
    slopes.second.push_back(0.05 + 0.2 * tail);
  }
  return slopes;
}

inline std::uint32_t leaf_by_values(const Tree& tree, std::span<const float> row) {
  std::int32_t at = tree.nodes.empty() ? ~0 : 0;
  while (at >= 0) {
    const auto node = static_cast<std::size_t>(at);
    at = tree.child(node, row[tree.nodes[node].feature]);
  }
  return static_cast<std::uint32_t>(~at);
}

inline bool same_tree(const Tree& a, const Tree& b) {
  if (a.nodes.size() != b.nodes.size() || a.values != b.values ||
      a.leaf_documents != b.leaf_documents || a.categories != b.categories)
    return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const Tree::Node &x = a.nodes[i], &y = b.nodes[i];
    if (x.feature != y.feature || x.threshold != y.threshold || x.missing != y.missing ||
        x.left != y.left || x.right != y.right || x.gain != y.gain || x.documents != y.documents)
      return false;
  }
  return true;
}

// The queries of a rank, unevenly distributed.
inline std::vector<std::size_t> queries_of_rank(std::size_t queries, int rank, int ranks) {
  std::vector<std::size_t> mine;
  for (std::size_t q = 0; q < queries; ++q)
    if (static_cast<int>(mix(q, 5) % static_cast<std::uint64_t>(ranks + 1)) % ranks == rank)
      mine.push_back(q);
  return mine;
}

}  // namespace podium::testing
