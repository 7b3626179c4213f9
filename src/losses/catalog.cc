// The table of losses, and their names as users write them:
//   loss := term { '+' term }                                        (separate slacks)
//   term := [ weight '*' ] ( name [ '(' parameters ')' ] [ '@' k ] | 'max(' loss { ',' loss } ')' )
// To add a loss, write a file with an Entry and add a line here.
#include "losses/catalog.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/spec.h"
#include "losses/combination.h"
#include "losses/device/device_loss.h"
#include "losses/lambda/lambda.h"
#include "podium/error.h"

namespace podium {
namespace {

// Splits at each '+' outside parentheses that is not the sign of an exponent, as in 1e+20.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  for (const std::string_view part : split_outside_parentheses(text, '+')) {
    const bool exponent = !terms.empty() && terms.back().size() > 1 && terms.back().back() == 'e' &&
                          terms.back().find_first_not_of("0123456789.e") == std::string_view::npos;
    if (!exponent)
      terms.push_back(part);
    else
      terms.back() = {terms.back().data(), terms.back().size() + 1 + part.size()};
  }
  return terms;
}

SharedLoss parse_plain(std::string_view text) {
  if (text.starts_with("max(") && text.ends_with(')')) {
    std::vector<SharedLoss> parts;
    for (const std::string_view part :
         split_outside_parentheses(text.substr(4, text.size() - 5), ','))
      parts.push_back(parse_loss(part));
    return maximum_of_losses(std::move(parts));
  }
  if (text.starts_with(kLambdaPrefix)) return parse_lambda_loss(text);
  const Spec spec = parse_spec(text, "loss");
  const Entry<Loss>& entry = losses().at(spec.name);
  return entry.make(settle_spec(spec, text, "loss", entry.options()));
}

WeightedLoss parse_term(std::string_view text) {
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos || star > text.find('(')) return {1.0, parse_plain(text)};
  const std::string_view number = trim(text.substr(0, star));
  double weight = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
  if (error != std::errc() || end != number.data() + number.size() || !(weight > 0) ||
      !std::isfinite(weight))
    throw Error(ErrorCode::usage,
                fmt::format("loss '{}': the weight '{}' is not a number > 0", text, number));
  return {weight, parse_plain(trim(text.substr(star + 1)))};
}

}  // namespace

const Catalog<Loss>& losses() {
  // clang-format off
  static const std::array entries = {
      &kSquaredLoss,
      &kQuerySquared,
      &kScoreRidge,
      &kInterval,
      &kIsotonic,
      &kMultinomial,
      &kOrdinal,
      &kSoftmax,
      &kListMle,
      &kXendcg,
      &kCosine,
      &kApproxNdcg,
      &kSmooth,
      &kSoftRank,
      &kPairwiseHinge,
      &kLogisticPairs,
      &kExponentialPairs,
      &kFidelityPairs,
      &kHingePairs,
      &kSquaredHingePairs,
      &kGbrankLoss,
      &kMarginPairs,
      &kLambdaNdcg,
      &kLambdaAp,
      &kLambdaRr,
      &kLambdaErr,
      &kLambdaP,
      &kLambdaLoss,
      &kWinnerTakesAll,
      &kHinge,
      &kStructuredAuc,
      &kStructuredMap,
      &kStructuredNdcg,
      &kStructuredNdcgNc,
      &kStructuredMrr,
      &kDormLoss,
  };
  // clang-format on
  static const Catalog<Loss> catalog("loss", entries);
  return catalog;
}

std::unique_ptr<const BoundLoss> BoundLoss::convex_bound(std::span<const double>) const {
  return nullptr;
}

std::unique_ptr<DeviceLoss> BoundLoss::on_device(const DeviceLossSite&) const {
  return nullptr;
}

std::unique_ptr<const BoundLoss> Loss::bind(const Dataset& data) const {
  return bind(data, *make_local_communicator());
}

std::vector<WeightedLoss> parse_weighted_losses(std::string_view text) {
  std::vector<WeightedLoss> terms;
  for (const std::string_view term : split_terms(trim(text)))
    terms.push_back(parse_term(trim(term)));
  return terms;
}

SharedLoss parse_loss(std::string_view text) {
  return sum_of_losses(parse_weighted_losses(text));
}

}  // namespace podium
