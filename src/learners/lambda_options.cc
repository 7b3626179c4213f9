#include "learners/lambda_options.h"

#include <fmt/format.h>

#include "measures/catalog.h"
#include "measures/make_measure.h"
#include "podium/error.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

MeasurePtr lambda_objective(const LambdaRowOptions& options) {
  std::vector<std::pair<std::string, Value>> values;
  const LambdaRowOptions defaults;
  if (options.gain != defaults.gain) {
    Gain{options.gain};  // a bad one is an error of the option
    values.emplace_back("gain", options.gain);
  }
  if (options.discount != defaults.discount)
    values.emplace_back("discount", choice_name(discount_choices(), options.discount));
  if (options.k > 0)
    values.emplace_back("k", options.k);
  else if (find_measure(options.objective) == &kPrecision)
    values.emplace_back("k", kUsualRanks);  // for the whole list it is the same in every order
  try {
    return make_measure(options.objective, values, Convention{});
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, fmt::format("‹objective›: {}", error.message()));
  }
}

}  // namespace

SharedLoss lambda_rule(const LambdaRowOptions& options) {
  return lambda_loss(lambda_objective(options),
                     {options.sigma, options.truncation, options.norm, options.tie_seed});
}

}  // namespace podium
