// λ-rules: the logistic pair function times weights that depend on the current ranking [Burges06].
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "losses/lambda/pair_weights.h"
#include "podium/loss.h"
#include "podium/options.h"

namespace podium {

enum class LambdaNorm { none, query, lightgbm };
inline const Choices<LambdaNorm>& lambda_norms() {
  static const Choices<LambdaNorm> choices = {
      {"none", LambdaNorm::none}, {"query", LambdaNorm::query}, {"lightgbm", LambdaNorm::lightgbm}};
  return choices;
}

struct LambdaOptions {
  double sigma = 1;
  std::int64_t truncation = 30;
  LambdaNorm norm = LambdaNorm::lightgbm;
  std::int64_t seed = 1;

  static const OptionTable<LambdaOptions>& table();
};

std::unique_ptr<const Loss> lambda_loss(std::string name, const LambdaOptions& options,
                                        std::shared_ptr<const RankWeights> weights,
                                        const LabelUse& labels);
// The λ-rule of a measure, under the name that parses back: "lambda-ndcg(sigma=2,gain=linear)@10".
std::unique_ptr<const Loss> lambda_loss(const MeasurePtr& measure, const LambdaOptions& options);

// "lambda-ndcg(sigma=2,gain=linear)@10": lambda- and any measure, as parse_measure reads it under
// the default convention, with the parameters of λ-rule and measure mixed.
std::unique_ptr<const Loss> parse_lambda_loss(std::string_view text);
constexpr std::string_view kLambdaPrefix = "lambda-";

}  // namespace podium
