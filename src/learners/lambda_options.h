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
           "the measure whose change weighs each pair: ndcg, ap, rr, err, p, or any other of "
           "`podium measures`")
      .add("k", &Options::k, "its cut-off; 0: the whole list (p: 10)", at_least(0))
      .add("gain", &Options::gain, "nDCG's gain of a grade", {"exp2", "linear"})
      .add("discount", &Options::discount, "nDCG's discount of a rank", {"log2", "letor"})
      .add("sigma", &Options::sigma, "steepness of the logistic function", above(0))
      .add("truncation", &Options::truncation,
           "only pairs with at least one document among this many first ranks; 0: all pairs",
           at_least(0))
      .add("norm", &Options::norm,
           "none: the forces as they are; query: a query's forces are scaled so that their sum S "
           "becomes log2(1 + S); lightgbm: query, and each force is divided by 0.01 + the "
           "difference of the two scores",
           {"none", "query", "lightgbm"})
      .add("tie-seed", &Options::tie_seed, "of the order of documents with equal scores",
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
