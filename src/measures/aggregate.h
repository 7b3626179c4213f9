// Aggregates the values of queries into the value of a measure. Queries have weights, except in
// sums; NaN marks a skipped query. Geometric means are means of logarithms of values floored at
// 1e-5, as in trec_eval.
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

  double aggregate(Aggregation aggregation) const;  // NaN if no query counted
};

// weights: one per query; empty: all 1.
WeightedSum sum_queries(std::span<const double> values, std::span<const float> weights,
                        Aggregation aggregation);

}  // namespace podium
