#include "clicks/click_pair_rule.h"

#include <charconv>

#include <fmt/format.h>

#include "core/spec.h"
#include "core/text_scan.h"
#include "podium/error.h"

namespace podium {

ClickPairRule click_pair_rule(const Loss& loss) {
  const std::string name = loss.name();
  const Spec spec = parse_spec(name, "loss");
  ClickPairRule rule;
  rule.is_lambda = spec.name == "lambda-ndcg";
  const auto refuse = [&] {
    return Error(
        ErrorCode::usage,
        fmt::format("‹debias› pairwise and additive weigh pairs of documents: they need "
                    "lambda-ndcg (lambdamart, lambdarank) or logistic-pairs (ranknet), not {}",
                    name));
  };
  if (!rule.is_lambda && spec.name != "logistic-pairs") throw refuse();
  if (rule.is_lambda) {
    const LambdaOptions defaults;
    rule.truncation = static_cast<std::size_t>(defaults.truncation);
    rule.scaled = defaults.norm != LambdaNorm::none;
  }
  for (const auto& [key, value] : spec.given) {
    std::size_t count = 0;
    std::from_chars(value.data(), value.data() + value.size(), count);
    if (key == "sigma")
      parse_double(value, rule.sigma);
    else if (key == "truncation")
      rule.truncation = count;
    else if (key == "k")
      rule.cutoff = count;
    else if (key == "norm")
      rule.scaled = choice_named(lambda_norms(), value) != LambdaNorm::none;
    else if (key != "gain" && key != "seed")  // a click is relevant or not; ties go by content
      throw refuse();
  }
  return rule;
}

}  // namespace podium
