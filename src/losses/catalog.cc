// The table of losses, and their names as users write them:
//   loss := term { '+' term } | 'max(' loss { ',' loss } ')'      (separate slacks, a shared slack)
//   term := [ weight '*' ] name [ '(' parameters ')' ] [ '@' k ]
// A new loss: one file with an Entry, one line here.
#include "losses/catalog.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/spec.h"
#include "losses/combination.h"
#include "podium/error.h"

namespace podium {
namespace {

std::unique_ptr<const Loss> parse_plain(std::string_view text) {
  const Spec spec = parse_spec(text, "loss");
  const Entry<Loss>& entry = losses().at(spec.name);
  return entry.make(settle_spec(spec, text, "loss", entry.options()));
}

Weighted parse_term(std::string_view text) {
  const std::size_t star = text.find('*');
  if (star == std::string_view::npos) return {1.0, parse_plain(text)};
  const std::string_view number = trim(text.substr(0, star));
  double weight = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
  if (error != std::errc() || end != number.data() + number.size() || !(weight > 0) ||
      !std::isfinite(weight))
    throw Error(ErrorCode::usage,
                fmt::format("loss '{}': the weight '{}' is not a number > 0", text, number));
  return {weight, parse_plain(text.substr(star + 1))};
}

}  // namespace

const Catalog<Loss>& losses() {
  static const std::array entries = {
      &kSquaredLoss,    &kPairwiseHinge,    &kHinge,         &kStructuredAuc, &kStructuredMap,
      &kStructuredNdcg, &kStructuredNdcgNc, &kStructuredMrr, &kDormLoss,
  };
  static const Catalog<Loss> catalog("loss", entries);
  return catalog;
}

std::unique_ptr<const Loss> parse_loss(std::string_view text) {
  const std::string_view whole = trim(text);
  if (whole.starts_with("max(") && whole.ends_with(')')) {
    std::vector<std::unique_ptr<const Loss>> parts;
    for (const std::string_view part :
         split_outside_parentheses(whole.substr(4, whole.size() - 5), ','))
      parts.push_back(parse_loss(part));
    return maximum_of_losses(std::move(parts));
  }
  std::vector<Weighted> terms;
  for (const std::string_view term : split_outside_parentheses(whole, '+'))
    terms.push_back(parse_term(term));
  return sum_of_losses(std::move(terms));
}

}  // namespace podium
