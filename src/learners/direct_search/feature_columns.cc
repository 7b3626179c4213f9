#include "learners/direct_search/feature_columns.h"

#include <algorithm>
#include <cmath>

namespace podium {
namespace {

constexpr std::size_t kRowBlock = 1024;

float or_zero(float x) {
  return std::isnan(x) ? 0.0F : x;
}

// The power of two nearest to a positive number, by ratio.
double power_of_two_near(double x) {
  return std::ldexp(1.0, static_cast<int>(std::lround(std::log2(x))));
}

}  // namespace

FeatureColumns::FeatureColumns(const Dataset& data, Context& context)
    : documents_(data.documents()), scale_(data.features(), 1.0) {
  if (data.is_dense())
    fill_dense(data, context);
  else
    fill_sparse(data);
  const std::size_t features = scale_.size();
  std::vector<double> squares(features);
  std::vector<std::int64_t> counts(features + 1);
  parallel_for(context.pool, features, 1, [&](std::size_t f, std::size_t) {
    const Spread found = spread(data, f);
    squares[f] = found.squares;
    counts[f] = found.queries;
  });
  counts[features] = static_cast<std::int64_t>(documents_);
  context.comm.all_reduce_sum(std::span(squares));
  context.comm.all_reduce_sum(std::span(counts));
  for (std::size_t f = 0; f < features; ++f) {
    if (counts[f] == 0) continue;
    moving_.push_back(static_cast<std::uint32_t>(f));
    const double deviation = std::sqrt(squares[f] / static_cast<double>(counts[features]));
    if (deviation > 0) scale_[f] = power_of_two_near(deviation);
  }
}

void FeatureColumns::fill_dense(const Dataset& data, Context& context) {
  const std::size_t features = scale_.size();
  dense_.resize(documents_ * features);
  parallel_for(context.pool, documents_, kRowBlock, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = rows.dense(i - begin);
      for (std::size_t f = 0; f < features; ++f) dense_[f * documents_ + i] = or_zero(row[f]);
    }
  });
}

void FeatureColumns::fill_sparse(const Dataset& data) {
  const Rows rows = data.rows(0, documents_);
  column_begin_.assign(scale_.size() + 1, 0);
  for (std::size_t i = 0; i < documents_; ++i)
    for (const std::uint32_t f : rows.sparse(i).columns) ++column_begin_[f + 1];
  for (std::size_t f = 0; f < scale_.size(); ++f) column_begin_[f + 1] += column_begin_[f];
  rows_.resize(column_begin_.back());
  values_.resize(column_begin_.back());
  std::vector<std::size_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::size_t i = 0; i < documents_; ++i) {
    const auto row = rows.sparse(i);
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      const std::size_t at = next[row.columns[k]]++;
      rows_[at] = static_cast<std::uint32_t>(i);
      values_[at] = or_zero(row.values[k]);
    }
  }
}

FeatureColumns::Spread FeatureColumns::spread(const Dataset& data, std::size_t feature) const {
  std::vector<double> column(documents_);
  copy(feature, column);
  Spread found;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto x = std::span(column).subspan(data.begin(q), data.end(q) - data.begin(q));
    const auto differs = [&](double value) { return value != x[0]; };
    if (std::none_of(x.begin(), x.end(), differs)) continue;
    ++found.queries;
    double sum = 0;
    for (const double value : x) sum += value;
    const double mean = sum / static_cast<double>(x.size());
    for (const double value : x) found.squares += (value - mean) * (value - mean);
  }
  return found;
}

void FeatureColumns::copy(std::size_t feature, std::span<double> out) const {
  const double unit = 1 / scale_[feature];
  if (column_begin_.empty()) {
    const float* column = dense_.data() + feature * documents_;
    for (std::size_t i = 0; i < documents_; ++i) out[i] = column[i] * unit;
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = column_begin_[feature]; k < column_begin_[feature + 1]; ++k)
    out[rows_[k]] = values_[k] * unit;
}

Linear FeatureColumns::model(std::span<const double> weights) const {
  Linear model{std::vector<double>(features()), 0};
  for (const std::uint32_t f : moving_) model.weights[f] = weights[f] / scale_[f];
  return model;
}

std::vector<double> FeatureColumns::weights(const Linear& model) const {
  std::vector<double> weights(features());
  for (const std::uint32_t f : moving_) weights[f] = model.weights[f] * scale_[f];
  return weights;
}

void FeatureColumns::rescale(std::span<double> derivatives) const {
  for (std::size_t f = 0; f < features(); ++f) derivatives[f] /= scale_[f];
}

}  // namespace podium
