// The options that choose a λ-rule (losses/lambda/lambda.h), for the rows `lambdarank` and
// `lambdamart`: the names are the same, the defaults differ.
#pragma once

#include <cstdint>
#include <string>

#include "losses/lambda/lambda.h"
#include "measures/choices.h"
#include "podium/loss.h"
#include "podium/options.h"

namespace podium {

struct LambdaRowOptions {
  std::string objective = "ndcg";  // any measure, as users write it
  std::int64_t k = 0;
  GradeGain gain = GradeGain::exp2;
  RankDiscount discount = RankDiscount::log2;
  double sigma = LambdaOptions{}.sigma;
  std::int64_t truncation = LambdaOptions{}.truncation;
  LambdaNorm norm = LambdaOptions{}.norm;
  std::int64_t tie_seed = LambdaOptions{}.seed;
};

// Options derives from LambdaRowOptions.
template <class Options>
OptionTable<Options>& add_lambda_options(OptionTable<Options>& table) {
  using Row = LambdaRowOptions;
  return table
      .add("objective", &Row::objective,
           "the measure whose change weighs each pair: ndcg, ap, rr, err, p, or any other of "
           "`podium measures`")
      .add("k", &Row::k, "its cut-off; 0: the whole list (p: 10)", at_least(0))
      .add("gain", &Row::gain, "nDCG's gain of a grade", gain_choices())
      .add("discount", &Row::discount, "nDCG's discount of a rank", discount_choices())
      .add("sigma", &Row::sigma, "steepness of the logistic function", above(0))
      .add("truncation", &Row::truncation,
           "only pairs with at least one document among this many first ranks; 0: all pairs",
           at_least(0))
      .add("norm", &Row::norm,
           "none: the forces as they are; query: a query's forces are scaled so that their sum S "
           "becomes log2(1 + S); lightgbm: query, and each force is divided by 0.01 + the "
           "difference of the two scores",
           lambda_norms())
      .add("tie-seed", &Row::tie_seed, "of the order of documents with equal scores", at_least(0));
}

// Usage error where the objective is no measure, or lacks a parameter that is not the default.
SharedLoss lambda_rule(const LambdaRowOptions& options);

}  // namespace podium
