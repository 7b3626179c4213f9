#include "experiments/comparison/query_table.h"

#include <cmath>
#include <limits>

#include "core/exact_sum.h"
#include "measures/aggregate.h"

namespace podium {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double mean_of(std::span<const double> values) {
  ExactSum sum;
  std::size_t count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count ? sum.value() / static_cast<double>(count) : kNan;
}

QueryTable::QueryTable(const ComparisonPlan& plan, const CellTable& cells) {
  for (std::size_t f = 0; f < plan.folds(); ++f)
    for (std::size_t s = 0; s < plan.systems.size(); ++s)
      if (const auto& cell = cells.at(s, f, 0); cell && cell->done())
        for (std::size_t k = 0; k < cell->queries.size(); ++k)
          if (places_.emplace(cell->queries[k], queries_.size()).second) {
            queries_.push_back(cell->queries[k]);
            weights_.push_back(cell->weights.empty() ? 1.0F : cell->weights[k]);
          }
  for (std::size_t s = 0; s < plan.systems.size(); ++s) add(plan, cells, s);
}

void QueryTable::add(const ComparisonPlan& plan, const CellTable& cells, std::size_t s) {
  const std::size_t n = queries_.size();
  std::vector<std::vector<double>> sums(plan.labels.size(), std::vector<double>(n));
  std::vector<std::vector<double>> counts = sums;
  for (std::size_t f = 0; f < plan.folds(); ++f) {
    const auto& cell = cells.at(s, f, 0);
    if (!cell || !cell->done()) continue;
    for (std::size_t k = 0; k < cell->queries.size(); ++k) {
      const std::size_t q = places_.at(cell->queries[k]);
      for (std::size_t m = 0; m < sums.size(); ++m) {
        if (std::isnan(cell->per_query[m][k])) continue;
        sums[m][q] += cell->per_query[m][k];
        counts[m][q] += 1;
      }
    }
  }
  for (std::size_t m = 0; m < sums.size(); ++m)
    for (std::size_t q = 0; q < n; ++q)
      sums[m][q] = counts[m][q] > 0 ? sums[m][q] / counts[m][q] : kNan;
  values_.push_back(std::move(sums));
}

double QueryTable::figure(std::size_t system, std::size_t measure, Aggregation how) const {
  return sum_queries(values_[system][measure], weights_, how).aggregate(how);
}

}  // namespace podium
