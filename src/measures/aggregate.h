// From the values of queries to a measure's figure. Every query has a weight, but in sums; a NaN is
// a query that was skipped. Geometric means are means of logarithms, of values no lower than 1e-5,
// as trec_eval has it.
#pragma once

#include <span>

#include "core/exact_sum.h"
#include "podium/measure.h"

namespace podium {

// The value on the scale that is averaged: its logarithm for geometric means. NaN stays NaN.
double averaged_value(double value, Aggregation aggregation);

// Σ weight · value and Σ weight over the queries that count.
struct WeightedSum {
  ExactSum values;
  ExactSum weights;

  double aggregate(Aggregation aggregation) const;  // NaN when no query counted
};

// weights: one per query; empty: all 1.
WeightedSum sum_queries(std::span<const double> values, std::span<const float> weights,
                        Aggregation aggregation);

}  // namespace podium
