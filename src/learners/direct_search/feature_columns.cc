#include "learners/direct_search/feature_columns.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kRowBlock = 1024;

float or_zero(float x) {
  return std::isnan(x) ? 0.0F : x;
}

// The power of two nearest to a positive number, by ratio.
double power_of_two_near(double x) {
  return std::ldexp(1.0, static_cast<int>(std::lround(math::log2(x))));
}

}  // namespace

FeatureColumns::FeatureColumns(const Dataset& data, Context& context)
    : documents_(data.documents()), scale_(data.features(), 1.0) {
  if (data.is_dense())
    fill_dense(data, context);
  else
    fill_sparse(data);
  const std::size_t features = scale_.size();
  OrderFreeSums sums(features);  // of squares around each query's mean
  std::vector<std::int64_t> counts(features + 1);
  parallel_for(context.pool, features, 1, [&](std::size_t f, std::size_t) {
    for (const double squares : spreads(data, f)) {
      sums.add(f, squares);
      ++counts[f];
    }
  });
  counts[features] = static_cast<std::int64_t>(documents_);
  const std::vector<double> squares = sum_over_ranks(std::move(sums), context.comm);
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
  const std::size_t all = documents_ * features;
  values_ = SpillArray<float>(all, storage_for(all * sizeof(float)));
  parallel_for(context.pool, documents_, kRowBlock, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(begin, end);
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t i = begin; i < end; ++i)
        values_[f * documents_ + i] = or_zero(rows.dense(i - begin)[f]);
  });
}

void FeatureColumns::fill_sparse(const Dataset& data) {
  const Rows rows = data.rows(0, documents_);
  column_begin_.assign(scale_.size() + 1, 0);
  for (std::size_t i = 0; i < documents_; ++i)
    for (const std::uint32_t f : rows.sparse(i).columns) ++column_begin_[f + 1];
  for (std::size_t f = 0; f < scale_.size(); ++f) column_begin_[f + 1] += column_begin_[f];
  const std::size_t all = column_begin_.back();
  const Storage storage = storage_for(all * (sizeof(float) + sizeof(std::uint32_t)));
  values_ = SpillArray<float>(all, storage);
  rows_ = SpillArray<std::uint32_t>(all, storage);
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

std::vector<double> FeatureColumns::spreads(const Dataset& data, std::size_t feature) const {
  std::vector<double> column(documents_);
  copy(feature, column);
  std::vector<double> found;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto x = std::span(column).subspan(data.begin(q), data.end(q) - data.begin(q));
    const auto differs = [&](double value) { return value != x[0]; };
    if (std::none_of(x.begin(), x.end(), differs)) continue;
    double sum = 0, squares = 0;
    for (const double value : x) sum += value;
    const double mean = sum / static_cast<double>(x.size());
    for (const double value : x) squares += (value - mean) * (value - mean);
    found.push_back(squares);
  }
  return found;
}

void FeatureColumns::copy(std::size_t feature, std::span<double> out) const {
  const double unit = 1 / scale_[feature];
  if (column_begin_.empty()) {
    const float* column = values_.data() + feature * documents_;
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
