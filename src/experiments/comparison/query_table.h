// The values of all systems on all tested queries, from the cells of the first seed. A query that
// was tested in several cells (trials) has the mean of its values.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiments/comparison/comparison_plan.h"

namespace podium {

class QueryTable {
 public:
  QueryTable(const ComparisonPlan& plan, const CellTable& cells);

  // In fold order.
  const std::vector<std::string>& queries() const noexcept { return queries_; }
  // One per query; NaN: skipped by the measure, or not tested.
  const std::vector<double>& values(std::size_t system, std::size_t measure) const {
    return values_[system][measure];
  }
  // Over all queries with their weights, aggregated as by the evaluator.
  double figure(std::size_t system, std::size_t measure, Aggregation how) const;

 private:
  void add(const ComparisonPlan& plan, const CellTable& cells, std::size_t system);

  std::vector<std::string> queries_;
  std::vector<float> weights_;  // one per query
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<std::vector<std::vector<double>>> values_;
};

// Exact sum over the values that are not NaN; NaN if there are none.
double mean_of(std::span<const double> values);

}  // namespace podium
