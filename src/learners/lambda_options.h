// The options that choose a λ-rule (losses/lambda/lambda.h), for the rows `lambdarank` and
// `lambdamart`: the names are the same, the defaults differ. Options has the members objective, k,
// gain, discount, sigma, truncation, norm and tie_seed.
#pragma once

#include <fmt/format.h>

#include "podium/options.h"

namespace podium {

template <class Options>
OptionTable<Options>& add_lambda_options(OptionTable<Options>& table) {
  return table
      .add("objective", &Options::objective,
           "measure whose change under a swap weights each pair: ndcg, ap, rr, err, p, or any "
           "other of `podium measures`")
      .add("k", &Options::k, "cut-off of the objective; 0: the whole list (p: 10)", at_least(0))
      .add("gain", &Options::gain, "gain function of nDCG", {"exp2", "linear"})
      .add("discount", &Options::discount, "rank discount of nDCG", {"log2", "letor"})
      .add("sigma", &Options::sigma, "steepness of the logistic function", above(0))
      .add("truncation", &Options::truncation,
           "use only pairs with at least one document in this many top ranks; 0: all pairs",
           at_least(0))
      .add("norm", &Options::norm,
           "none: gradients as they are; query: rescales each query's gradients so that their sum "
           "S becomes log2(1 + S); lightgbm: as query, and divides each pair's weight by 0.01 + "
           "|Δscore|",
           {"none", "query", "lightgbm"})
      .add("tie-seed", &Options::tie_seed, "seed for the order of documents with equal scores",
           at_least(0));
}

template <class Options>
std::string lambda_name(const Options& o) {
  std::string parameters = fmt::format("sigma={},truncation={},norm={},seed={}", o.sigma,
                                       o.truncation, o.norm, o.tie_seed);
  if (o.gain != "exp2") parameters += ",gain=" + o.gain;
  if (o.discount != "log2") parameters += ",discount=" + o.discount;
  // Precision of the whole list is the same for every order.
  const std::int64_t k = o.k == 0 && o.objective == "p" ? 10 : o.k;
  return fmt::format("lambda-{}({}){}", o.objective, parameters,
                     k > 0 ? fmt::format("@{}", k) : "");
}

}  // namespace podium
