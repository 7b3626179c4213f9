#include "models/linear.h"

#include <algorithm>
#include <cmath>

#include "models/dense_kernels.h"

namespace podium {
namespace {

constexpr std::size_t kChunk = 4096;     // documents
constexpr std::size_t kQueryChunk = 32;  // queries

double or_zero(float value) {
  return std::isnan(value) ? 0.0 : static_cast<double>(value);
}

// f(feature, value) for every value of the row that is neither missing nor an unstored zero.
template <class F>
void for_each_value(const Rows& rows, std::size_t row, F&& f) {
  if (rows.is_dense()) {
    const auto values = rows.dense(row);
    for (std::size_t feature = 0; feature < values.size(); ++feature)
      f(feature, or_zero(values[feature]));
  } else {
    const auto [columns, values] = rows.sparse(row);
    for (std::size_t i = 0; i < columns.size(); ++i) f(columns[i], or_zero(values[i]));
  }
}

// The query's mean features, weighted by h; returns the weight.
double query_mean(const Dataset& data, std::span<const double> h, std::size_t q,
                  std::span<double> mean) {
  std::fill(mean.begin(), mean.end(), 0.0);
  const Rows rows = data.rows(q);
  double total = 0;
  for (std::size_t i = 0; i < rows.documents(); ++i) {
    const double weight = h[data.begin(q) + i];
    total += weight;
    for_each_value(rows, i, [&](std::size_t f, double x) { mean[f] += weight * x; });
  }
  if (total > 0)
    for (double& m : mean) m /= total;
  return total;
}

// Sums `width` numbers over `count` items: add(begin, end, sums) per chunk, chunks added in order.
// The chunk grows with the data so that no more than `parts` partial sums are alive.
template <class Add>
std::vector<double> chunked_sums(std::size_t count, std::size_t chunk, std::size_t width,
                                 std::size_t parts, ThreadPool& pool, Add&& add) {
  chunk = std::max(chunk, (count + parts - 1) / parts);
  return parallel_reduce(
      pool, count, chunk, std::vector<double>(width),
      [&](std::size_t begin, std::size_t end) {
        std::vector<double> sums(width);
        add(begin, end, std::span(sums));
        return sums;
      },
      [width](std::vector<double>& total, std::vector<double>& part) {
        for (std::size_t i = 0; i < width; ++i) total[i] += part[i];
        part = {};
      });
}

}  // namespace

double dot(const Rows& rows, std::size_t row, std::span<const double> weights) {
  if (!rows.is_dense()) {
    double sum = 0;
    for_each_value(rows, row, [&](std::size_t f, double x) { sum += weights[f] * x; });
    return sum;
  }
  const auto x = rows.dense(row);
  const double sum = dense_dot(x.data(), weights.data(), x.size());
  if (!std::isnan(sum)) return sum;
  std::vector<float> known(x.begin(), x.end());  // a missing value is on the way
  for (float& value : known)
    if (std::isnan(value)) value = 0;
  return dense_dot(known.data(), weights.data(), known.size());
}

std::vector<double> score(const Linear& model, const Dataset& data, ThreadPool& pool) {
  std::vector<double> scores(data.documents());
  parallel_for(pool, data.documents(), kChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    for (std::size_t i = begin; i < end; ++i)
      scores[i] = dot(rows, i - begin, model.weights) + model.bias;
  });
  return scores;
}

void add_weighted(const Rows& rows, std::span<const double> c, std::span<double> sums) {
  if (rows.is_dense() && rows.features() > 0 && rows.documents() > 0) {
    std::vector<double> part(sums.size());
    add_rows(rows.dense(0).data(), rows.documents(), c.data(), part.data(), part.size());
    if (std::none_of(part.begin(), part.end(), [](double s) { return std::isnan(s); })) {
      for (std::size_t f = 0; f < part.size(); ++f) sums[f] += part[f];
      return;
    }  // otherwise a missing value is among them
  }
  for (std::size_t i = 0; i < rows.documents(); ++i)
    for_each_value(rows, i, [&](std::size_t f, double x) { sums[f] += c[i] * x; });
}

std::vector<double> weighted_sum(const Dataset& data, std::span<const double> c, ThreadPool& pool) {
  return chunked_sums(data.documents(), kChunk, data.features(), 64, pool,
                      [&](std::size_t begin, std::size_t end, std::span<double> sums) {
                        add_weighted(data.rows(begin, end), c.subspan(begin, end - begin), sums);
                      });
}

std::vector<double> squares_within(const Dataset& data, std::span<const double> h,
                                   ThreadPool& pool) {
  const std::size_t d = data.features();
  return chunked_sums(
      data.queries(), kQueryChunk, d, 64, pool,
      [&](std::size_t begin, std::size_t end, std::span<double> sums) {
        std::vector<double> mean(d);
        for (std::size_t q = begin; q < end; ++q) {
          const double total = query_mean(data, h, q, mean);
          if (!(total > 0)) continue;
          const Rows rows = data.rows(q);
          for (std::size_t i = 0; i < rows.documents(); ++i) {
            const double weight = h[data.begin(q) + i];
            for_each_value(rows, i, [&](std::size_t f, double x) { sums[f] += weight * x * x; });
          }
          for (std::size_t f = 0; f < d; ++f) sums[f] -= total * mean[f] * mean[f];
        }
      });
}

std::vector<double> moments_within(const Dataset& data, std::span<const double> h,
                                   ThreadPool& pool) {
  const std::size_t d = data.features();
  const std::size_t parts = std::clamp<std::size_t>((std::size_t{1} << 23) / (d * d + 1), 1, 64);
  // Adds weight · x xᵀ, upper triangle; the features of `present` ascend.
  using Present = std::vector<std::pair<std::size_t, double>>;
  const auto add_outer = [d](std::span<double> sums, const Present& present, double weight) {
    for (std::size_t a = 0; a < present.size(); ++a) {
      const double scaled = weight * present[a].second;
      double* const out = sums.data() + present[a].first * d;
      for (std::size_t b = a; b < present.size(); ++b)
        out[present[b].first] += scaled * present[b].second;
    }
  };
  auto moments = chunked_sums(data.queries(), kQueryChunk, d * d, parts, pool,
                              [&](std::size_t begin, std::size_t end, std::span<double> sums) {
                                std::vector<double> mean(d);
                                Present present;
                                const auto keep = [&](std::size_t f, double x) {
                                  if (x != 0) present.emplace_back(f, x);
                                };
                                for (std::size_t q = begin; q < end; ++q) {
                                  const double total = query_mean(data, h, q, mean);
                                  if (!(total > 0)) continue;
                                  const Rows rows = data.rows(q);
                                  for (std::size_t i = 0; i < rows.documents(); ++i) {
                                    present.clear();
                                    for_each_value(rows, i, keep);
                                    add_outer(sums, present, h[data.begin(q) + i]);
                                  }
                                  present.clear();
                                  for (std::size_t f = 0; f < d; ++f) keep(f, mean[f]);
                                  add_outer(sums, present, -total);
                                }
                              });
  for (std::size_t r = 0; r < d; ++r)
    for (std::size_t c = 0; c < r; ++c) moments[r * d + c] = moments[c * d + r];
  return moments;
}

std::vector<double> feature_column(const Dataset& data, std::size_t feature, ThreadPool& pool) {
  std::vector<double> column(data.documents());
  parallel_for(pool, data.documents(), kChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      if (rows.is_dense()) {
        column[i] = or_zero(rows.dense(i - begin)[feature]);
        continue;
      }
      const auto [columns, values] = rows.sparse(i - begin);
      const auto at = std::lower_bound(columns.begin(), columns.end(), feature);
      if (at != columns.end() && *at == feature)
        column[i] = or_zero(values[static_cast<std::size_t>(at - columns.begin())]);
    }
  });
  return column;
}

}  // namespace podium
