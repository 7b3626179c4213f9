// The options that choose a λ-rule (losses/lambda/lambda.h), for the rows `lambdarank` and
// `lambdamart`: the names are the same, the defaults differ.
#pragma once

#include <cstdint>
#include <string>

#include "losses/lambda/lambda.h"
#include "measures/choices.h"
#include "measures/gain.h"
#include "podium/loss.h"
#include "podium/options.h"

namespace podium {

struct LambdaRowOptions {
  std::string objective = "ndcg";  // any measure, as users write it
  std::int64_t k = 0;
  std::string gain = "exp2";
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
           "measure whose change under a swap weights each pair: ndcg, ap, rr, err, p, or any "
           "other of `podium measures`")
      .add("k", &Row::k, "cut-off of the objective; 0: the whole list (p: 10)", at_least(0))
      .add("gain", &Row::gain, kNdcgGainHelp)
      .add("discount", &Row::discount, "rank discount of nDCG", discount_choices())
      .add("sigma", &Row::sigma, "steepness of the logistic function", above(0))
      .add("truncation", &Row::truncation,
           "use only pairs with at least one document in this many top ranks; 0: all pairs",
           at_least(0))
      .add("norm", &Row::norm,
           "none: gradients as they are; query: rescales each query's gradients so that their sum "
           "S becomes log2(1 + S); lightgbm: as query, and divides each pair's weight by 0.01 + "
           "|Δscore|",
           lambda_norms())
      .add("tie-seed", &Row::tie_seed, "seed for the order of documents with equal scores",
           at_least(0));
}

// Throws a usage Error if the objective is not a measure, or lacks a parameter that was set.
SharedLoss lambda_rule(const LambdaRowOptions& options);

}  // namespace podium
