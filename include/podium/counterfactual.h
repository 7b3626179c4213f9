// The value of rankers that were never shown, estimated from a click log.
//
// A ranker's value is V = (1/S) Σ_sessions Σ_documents λ(rank) r, with r = 1 if the user finds the
// document relevant and λ from a measure: DCG@k 1/log2(1 + rank), P@k 1/k, RR 1/rank. Estimates:
//   ips     Σ λ c/θ_p
//   snips   ips · Σ γ̂_d / Σ c/θ_p, both sums over everything shown: the ratio is 1 on average, and
//           falls where chance made the weights of the clicks too large
//   affine  Σ λ (c − b_p)/a_p, for logs with trust bias
//   dm      Σ λ γ̂_d, γ̂ fitted at the given θ; 0 for documents that were never shown
//   dr      dm + Σ λ (c − θ_p γ̂)/θ_p
// θ_p are given, or those of the log's own column: then a click has its own, and γ̂ is fitted at
// the mean of each position.
// Intervals are percentiles of a bootstrap over queries, with all sessions of a query together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "podium/click_model.h"
#include "podium/significance.h"

namespace podium {

enum class Estimator { ips, snips, affine, dm, dr };
const Choices<Estimator>& estimators();

struct CounterfactualOptions {
  Estimator estimator = Estimator::dr;
  std::string measure = "DCG@10";  // DCG@k, P@k, RR, RR@k
  double clip = 0.05;              // ‹propensity-clip›: smallest θ
  std::int64_t resamples = 2000;
};
const OptionTable<CounterfactualOptions>& counterfactual_option_table();

struct CounterfactualValue {
  double value = 0;
  Interval interval;                 // 95 %
  double effective_clicks = 0;       // (Σ w)² / Σ w², w = λ/θ of the clicks
  double largest_weight = 0;         // of a click
  double never_shown = 0;            // share of λ at documents that the log never shows
  std::vector<double> sum_by_query;  // numerator of each query of the log
  std::vector<double> weight_by_query;
};
struct CounterfactualDifference {  // of two rankers on the same queries
  double difference = 0;
  Interval interval;
  double p = 1;  // two-sided, by the same resamples
};

// The rank weights of a measure; usage Error for others.
std::vector<double> rank_weights_of(std::string_view measure, std::size_t longest);

class Counterfactual {
 public:
  // The log must have been matched with the data. Without propensities it must have its own.
  Counterfactual(const Dataset& data, const ClickLog& log,
                 const std::optional<Propensities>& propensities,
                 const CounterfactualOptions& options, Context& context);
  // One score per document of the data; equal scores share the mean of their weights.
  CounterfactualValue evaluate(std::span<const double> scores) const;
  CounterfactualDifference compare(const CounterfactualValue& a,
                                   const CounterfactualValue& b) const;

 private:
  double propensity(const ClickCell& cell) const;

  const Dataset& data_;
  const ClickLog& log_;
  Propensities propensities_;
  CounterfactualOptions options_;
  Context& context_;
  bool own_propensities_;          // those of the log
  std::vector<double> relevance_;  // γ̂ of the log's documents
  double mean_relevance_ = 0;      // snips: Σ γ̂ shown, per session
};

}  // namespace podium
