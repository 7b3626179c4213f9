// Fills are sums over queries whose bits do not depend on threads and ranks. A value that was
// rounded to float32 once is the same wherever it is used.
#include "data/transform/imputation.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "core/order_free_sums.h"
#include "distributed/over_ranks.h"

namespace podium {
namespace {

constexpr std::size_t kImputedQueries = 64, kSearchedRows = 4096;

// The statistic of one query's values of one feature, whatever their order; nullopt if all are
// missing.
std::optional<double> query_statistic(Imputation rule, std::span<const float> column) {
  std::vector<float> present;
  for (const float x : column)
    if (!std::isnan(x)) present.push_back(x);
  if (present.empty()) return std::nullopt;
  std::sort(present.begin(), present.end());
  if (rule == Imputation::query_min) return present.front();
  double sum = 0;
  for (const float x : present) sum += x;
  return sum / static_cast<double>(present.size());
}

// Sums and counts of each feature: over documents for means, over queries for the query rules.
struct FeatureTotals {
  OrderFreeSums sums;
  std::vector<std::int64_t> counts;

  explicit FeatureTotals(std::size_t features) : sums(features), counts(features) {}
  void add(std::size_t feature, double x) {
    sums.add(feature, x);
    ++counts[feature];
  }
  void add_query(std::size_t feature, Imputation rule, std::span<const float> column) {
    if (rule != Imputation::mean) {
      if (const auto statistic = query_statistic(rule, column)) add(feature, *statistic);
      return;
    }
    for (const float x : column)
      if (!std::isnan(x)) add(feature, x);
  }
  void operator+=(const FeatureTotals& other) {
    sums += other.sums;
    for (std::size_t f = 0; f < counts.size(); ++f) counts[f] += other.counts[f];
  }
};

FeatureTotals feature_totals(Imputation rule, const Dataset& data, ThreadPool& pool) {
  const std::size_t features = data.features();
  FeatureTotals all(features);
  std::mutex mutex;
  parallel_for(pool, data.queries(), kImputedQueries, [&](std::size_t first, std::size_t last) {
    FeatureTotals some(features);
    std::vector<float> row(features), columns;
    for (std::size_t q = first; q < last; ++q) {
      const Rows rows = data.rows(q);
      const std::size_t n = rows.documents();
      columns.resize(n * features);
      for (std::size_t d = 0; d < n; ++d) {
        rows.copy(d, row);
        for (std::size_t f = 0; f < features; ++f) columns[f * n + d] = row[f];
      }
      for (std::size_t f = 0; f < features; ++f)
        some.add_query(f, rule, std::span<const float>(columns).subspan(f * n, n));
    }
    const std::scoped_lock lock(mutex);
    all += some;
  });
  return all;
}

std::vector<float> mean_fills(Imputation rule, const Dataset& data, Context& context) {
  FeatureTotals totals = feature_totals(rule, data, context.pool);
  const std::vector<double> sums = sum_over_ranks(std::move(totals.sums), context.comm);
  context.comm.all_reduce_sum(std::span(totals.counts));
  std::vector<float> fills(data.features());
  for (std::size_t f = 0; f < fills.size(); ++f)
    if (totals.counts[f] > 0)
      fills[f] = static_cast<float>(sums[f] / static_cast<double>(totals.counts[f]));
  return fills;
}

void find_missing(const Rows& rows, std::vector<std::int64_t>& missing) {
  std::vector<std::size_t> stored(rows.features());
  for (std::size_t d = 0; d < rows.documents(); ++d) {
    if (rows.is_dense()) {
      const auto row = rows.dense(d);
      for (std::size_t f = 0; f < row.size(); ++f) missing[f] += std::isnan(row[f]);
      continue;
    }
    const auto row = rows.sparse(d);
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      ++stored[row.columns[i]];
      missing[row.columns[i]] += std::isnan(row.values[i]);
    }
  }
  if (rows.is_dense() || !std::isnan(rows.absent())) return;
  for (std::size_t f = 0; f < stored.size(); ++f) missing[f] += stored[f] < rows.documents();
}

}  // namespace

const Choices<Imputation>& imputation_choices() {
  static const Choices<Imputation> choices = {{"auto", Imputation::automatic},
                                              {"query-min", Imputation::query_min},
                                              {"query-mean", Imputation::query_mean},
                                              {"mean", Imputation::mean},
                                              {"median", Imputation::median},
                                              {"zero", Imputation::zero},
                                              {"none", Imputation::none}};
  return choices;
}

const Choices<Indicators>& indicator_choices() {
  static const Choices<Indicators> choices = {
      {"auto", Indicators::automatic}, {"yes", Indicators::yes}, {"no", Indicators::no}};
  return choices;
}

std::string to_text(Imputation imputation) {
  return choice_name(imputation_choices(), imputation);
}

std::string to_text(Indicators indicators) {
  return choice_name(indicator_choices(), indicators);
}

bool needs_query(Imputation imputation) {
  return imputation == Imputation::query_mean || imputation == Imputation::query_min;
}

void impute_column(Imputation rule, float fill, std::span<float> column) {
  const auto is_missing = [](float x) { return std::isnan(x); };
  if (std::none_of(column.begin(), column.end(), is_missing)) return;
  if (needs_query(rule))
    if (const auto statistic = query_statistic(rule, column)) fill = static_cast<float>(*statistic);
  for (float& x : column)
    if (std::isnan(x)) x = fill;
}

std::vector<float> fit_fills(Imputation rule, const Dataset& data, Context& context) {
  std::vector<float> fills(data.features());
  if (rule == Imputation::median)
    fills = medians(data, context);
  else if (rule != Imputation::zero)
    fills = mean_fills(rule, data, context);
  for (const auto& category : data.schema().categories()) fills[category.feature] = 0;
  return fills;
}

std::vector<bool> missing_somewhere(const Dataset& data, Context& context) {
  std::vector<std::int64_t> missing(data.features());
  std::mutex mutex;
  parallel_for(context.pool, data.documents(), kSearchedRows,
               [&](std::size_t first, std::size_t last) {
                 std::vector<std::int64_t> some(data.features());
                 find_missing(data.rows(first, last), some);
                 const std::scoped_lock lock(mutex);
                 for (std::size_t f = 0; f < some.size(); ++f) missing[f] += some[f];
               });
  context.comm.all_reduce_sum(std::span(missing));
  std::vector<bool> somewhere(data.features());
  for (std::size_t f = 0; f < somewhere.size(); ++f) somewhere[f] = missing[f] > 0;
  for (const auto& category : data.schema().categories()) somewhere[category.feature] = false;
  return somewhere;
}

}  // namespace podium
