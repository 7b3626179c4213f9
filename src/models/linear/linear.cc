#include "models/linear/linear.h"

#include <algorithm>
#include <cmath>

#include "models/document_sums.h"
#include "models/linear/dense_kernels.h"

namespace podium {
namespace {

constexpr std::size_t kLinearChunk = 4096;  // documents

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

// The query's mean features, weighted by h; returns the total weight.
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

bool any_nan(std::span<const double> values) {
  std::int64_t any = 0;  // as wide as the values, for vectorisation
  for (const double x : values) any |= static_cast<std::int64_t>(x != x);
  return any != 0;
}

// Symmetric matrices as their upper triangle, row after row.
std::size_t triangle_row(std::size_t row,
                         std::size_t d) {  // element (row, column) is that + column
  return row * d - row * (row + 1) / 2;
}

// One piece's contribution to the second moments.
class MomentPiece {
 public:
  MomentPiece(const Dataset& data, std::span<const double> h)
      : data_(data), h_(h), d_(data.features()), sum_(d_ * (d_ + 1) / 2), mean_(d_), seen_(d_) {}

  void add(const Piece& piece, OrderFreeSums& sums) {
    const Rows rows = data_.rows(piece.begin, piece.end);
    for (std::size_t i = 0; i < rows.documents(); ++i) {
      present_.clear();
      for_each_value(rows, i, [&](std::size_t f, double x) { keep(f, x); });
      add_outer(h_[piece.begin + i]);
    }
    if (piece.begin == data_.begin(piece.query)) {
      const double total = query_mean(data_, h_, piece.query, mean_);
      present_.clear();
      for (std::size_t f = 0; f < d_; ++f) keep(f, mean_[f]);
      if (total > 0) add_outer(-total);
    }
    give(sums);
  }

 private:
  void keep(std::size_t f, double x) {
    if (x == 0) return;
    present_.emplace_back(f, x);
    seen_[f] = 1;
  }
  // weight · x xᵀ; the features of x ascend.
  void add_outer(double weight) {
    for (std::size_t a = 0; a < present_.size(); ++a) {
      const double scaled = weight * present_[a].second;
      double* const out = sum_.data() + triangle_row(present_[a].first, d_);
      for (std::size_t b = a; b < present_.size(); ++b)
        out[present_[b].first] += scaled * present_[b].second;
    }
  }
  void give(OrderFreeSums& sums) {
    std::vector<std::size_t> features;
    for (std::size_t f = 0; f < d_; ++f)
      if (seen_[f]) features.push_back(f);
    if (2 * features.size() > d_) {
      sums.add(sum_);
      std::fill(sum_.begin(), sum_.end(), 0.0);
    } else {
      for (std::size_t a = 0; a < features.size(); ++a)
        for (std::size_t b = a; b < features.size(); ++b) {
          const std::size_t at = triangle_row(features[a], d_) + features[b];
          sums.add(at, sum_[at]);
          sum_[at] = 0;
        }
    }
    std::fill(seen_.begin(), seen_.end(), 0);
  }

  const Dataset& data_;
  std::span<const double> h_;
  std::size_t d_;
  std::vector<double> sum_, mean_;
  std::vector<char> seen_;  // features of the piece
  std::vector<std::pair<std::size_t, double>> present_;
};

double score_sparse(const Linear& model, const Rows& rows, std::size_t row) {
  double sum = 0;
  for_each_value(rows, row, [&](std::size_t f, double x) { sum += model.weights[f] * x; });
  return sum + model.bias;
}

void score_dense(const Linear& model, const Rows& rows, std::span<double> scores) {
  const std::size_t features = rows.features();
  dense_products(rows.dense(0).data(), rows.documents(), model.weights.data(), scores.data(),
                 features);
  for (std::size_t i = 0; i < rows.documents(); ++i) {
    if (std::isnan(scores[i])) {  // caused by a missing value
      const auto x = rows.dense(i);
      std::vector<float> known(x.begin(), x.end());
      for (float& value : known)
        if (std::isnan(value)) value = 0;
      dense_products(known.data(), 1, model.weights.data(), &scores[i], features);
    }
    scores[i] += model.bias;
  }
}

}  // namespace

void score_rows(const Linear& model, const Rows& rows, std::span<double> scores) {
  if (rows.is_dense())
    score_dense(model, rows, scores);
  else
    for (std::size_t i = 0; i < rows.documents(); ++i) scores[i] = score_sparse(model, rows, i);
}

std::vector<double> score(const Linear& model, const Dataset& data, ThreadPool& pool) {
  std::vector<double> scores(data.documents());
  parallel_for(pool, data.documents(), kLinearChunk, [&](std::size_t begin, std::size_t end) {
    score_rows(model, data.rows(begin, end), std::span(scores).subspan(begin, end - begin));
  });
  return scores;
}

void add_weighted(const Rows& rows, std::span<const double> c, std::span<double> zeros,
                  OrderFreeSums& sums) {
  if (rows.features() == 0 || rows.documents() == 0) return;
  if (rows.is_dense()) {
    add_rows(rows.dense(0).data(), rows.documents(), c.data(), zeros.data(), zeros.size());
    if (any_nan(zeros)) {  // a missing value is among them
      std::fill(zeros.begin(), zeros.end(), 0.0);
      for (std::size_t i = 0; i < rows.documents(); ++i)
        for_each_value(rows, i, [&](std::size_t f, double x) { zeros[f] += c[i] * x; });
    }
    sums.add(zeros);
    std::fill(zeros.begin(), zeros.end(), 0.0);
    return;
  }
  for (std::size_t i = 0; i < rows.documents(); ++i)
    for_each_value(rows, i, [&](std::size_t f, double x) { zeros[f] += c[i] * x; });
  for (std::size_t i = 0; i < rows.documents(); ++i)
    for (const std::uint32_t f : rows.sparse(i).columns) {
      if (zeros[f] != 0) sums.add(f, zeros[f]);
      zeros[f] = 0;
    }
}

std::vector<double> weighted_sum(const Dataset& data, std::span<const double> c, Context& context) {
  const std::vector<Piece> pieces = pieces_of(data);
  return sum_over_items(pieces.size(), data.features(), context,
                        [&](std::size_t begin, std::size_t end, OrderFreeSums& sums) {
                          std::vector<double> zeros(data.features());
                          for (std::size_t i = begin; i < end; ++i) {
                            const Piece& piece = pieces[i];
                            add_weighted(data.rows(piece.begin, piece.end),
                                         c.subspan(piece.begin, piece.end - piece.begin), zeros,
                                         sums);
                          }
                        });
}

std::vector<double> squares_within(const Dataset& data, std::span<const double> h,
                                   Context& context) {
  const std::size_t d = data.features();
  return sum_over_pieces(data, d, context, [&](const Piece& piece, std::span<double> sum) {
    const Rows rows = data.rows(piece.begin, piece.end);
    for (std::size_t i = 0; i < rows.documents(); ++i) {
      const double weight = h[piece.begin + i];
      for_each_value(rows, i, [&](std::size_t f, double x) { sum[f] += weight * x * x; });
    }
    if (piece.begin != data.begin(piece.query)) return;
    std::vector<double> mean(d);
    const double total = query_mean(data, h, piece.query, mean);
    for (std::size_t f = 0; f < d; ++f) sum[f] -= total * mean[f] * mean[f];
  });
}

std::vector<double> moments_within(const Dataset& data, std::span<const double> h,
                                   Context& context) {
  const std::size_t d = data.features();
  const std::vector<Piece> pieces = pieces_of(data);
  const auto triangle =
      sum_over_items(pieces.size(), d * (d + 1) / 2, context,
                     [&](std::size_t begin, std::size_t end, OrderFreeSums& sums) {
                       MomentPiece piece(data, h);
                       for (std::size_t i = begin; i < end; ++i) piece.add(pieces[i], sums);
                     });
  std::vector<double> moments(d * d);
  for (std::size_t r = 0; r < d; ++r)
    for (std::size_t c = r; c < d; ++c)
      moments[r * d + c] = moments[c * d + r] = triangle[triangle_row(r, d) + c];
  return moments;
}

std::vector<double> feature_column(const Dataset& data, std::size_t feature, ThreadPool& pool) {
  std::vector<double> column(data.documents());
  parallel_for(pool, data.documents(), kLinearChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    if (rows.is_dense()) {
      const float* value = rows.dense(0).data() + feature;
      for (std::size_t i = begin; i < end; ++i, value += data.features())
        column[i] = or_zero(*value);
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const auto [columns, values] = rows.sparse(i - begin);
      const auto at = std::lower_bound(columns.begin(), columns.end(), feature);
      if (at != columns.end() && *at == feature)
        column[i] = or_zero(values[static_cast<std::size_t>(at - columns.begin())]);
    }
  });
  return column;
}

}  // namespace podium
