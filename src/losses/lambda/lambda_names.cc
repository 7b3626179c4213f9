// The rows of the λ-rules, and their names: `lambda-` and a measure; the parameters of measure and
// λ-rule share one pair of parentheses: `lambda-map(sigma=2,rel=2)`. lambda-MRR and lambda-rr are
// the same.
#include <algorithm>

#include <fmt/format.h>

#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/lambda/lambda.h"
#include "measures/catalog.h"
#include "podium/error.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

const std::vector<Field>& own_fields() {
  return LambdaOptions::table().fields();
}
bool is_own(std::string_view parameter) {
  return std::any_of(own_fields().begin(), own_fields().end(),
                     [&](const Field& field) { return field.name == parameter; });
}

// name(parameters)@k, where k is one of the parameters.
std::string spelled(std::string_view name, const Assignments& given) {
  std::string inside, cut;
  for (const auto& [key, value] : given)
    if (key == "k")
      cut = "@" + value;
    else
      inside += fmt::format("{}{}={}", inside.empty() ? "" : ",", key, value);
  return fmt::format("{}{}{}", name, inside.empty() ? "" : "(" + inside + ")", cut);
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// lambda- and the measure's name, with the λ-rule's settings that differ from the defaults among
// its parameters.
std::string lambda_name(const Measure& measure, const Settings& own) {
  const Spec spec = parse_spec(measure.name(), "measure");
  Assignments given;
  for (const Field& field : own_fields())
    if (own[field.name] != field.initial) given.emplace_back(field.name, to_text(own[field.name]));
  given.insert(given.end(), spec.given.begin(), spec.given.end());
  return spelled(std::string(kLambdaPrefix) + lower(spec.name), given);
}

// The values of these fields among all settings.
Settings part_of(const Settings& settings, const std::vector<Field>& fields) {
  std::vector<std::pair<std::string, Value>> values;
  for (const Field& field : fields) values.emplace_back(field.name, settings[field.name]);
  return Settings::of(std::move(values));
}

template <const Entry<Measure>& measure>
const std::vector<Field>& fields_of() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> all = own_fields();
    all.insert(all.end(), measure.options().begin(), measure.options().end());
    return all;
  }();
  return fields;
}

template <const Entry<Measure>& measure>
std::unique_ptr<const Loss> make_row(const Settings& settings) {
  return lambda_loss(measure.make(part_of(settings, measure.options())),
                     LambdaOptions::table().read(settings));
}

}  // namespace

std::unique_ptr<const Loss> lambda_loss(const MeasurePtr& measure, const LambdaOptions& options) {
  return lambda_loss(lambda_name(*measure, LambdaOptions::table().settings(options)), options,
                     swap_weights(measure), measure->label_use());
}

std::unique_ptr<const Loss> parse_lambda_loss(std::string_view text) {
  Spec spec = parse_spec(text, "loss");
  Spec own{spec.name, {}};
  Assignments rest;
  for (auto& parameter : spec.given)
    (is_own(parameter.first) ? own.given : rest).push_back(parameter);
  const Settings settings = settle_spec(own, text, "loss", own_fields());
  const std::string measure = spelled(spec.name.substr(kLambdaPrefix.size()), rest);
  try {
    return lambda_loss(parse_measure(measure, Convention{}), LambdaOptions::table().read(settings));
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, fmt::format("loss '{}': {}", text, error.message()));
  }
}

const Entry<Loss> kLambdaNdcg = {"lambda-ndcg",
                                 "logistic pairs weighted by |ΔnDCG| (LambdaRank, LambdaMART)",
                                 "Burges06", fields_of<kNdcg>, make_row<kNdcg>};
const Entry<Loss> kLambdaAp = {"lambda-ap", "logistic pairs weighted by |ΔAP|", "Burges06",
                               fields_of<kAveragePrecision>, make_row<kAveragePrecision>};
const Entry<Loss> kLambdaRr = {"lambda-rr", "logistic pairs weighted by |ΔRR|", "Burges06",
                               fields_of<kReciprocalRank>, make_row<kReciprocalRank>};
const Entry<Loss> kLambdaErr = {"lambda-err", "logistic pairs weighted by |ΔERR|", "Burges06",
                                fields_of<kExpectedReciprocalRank>,
                                make_row<kExpectedReciprocalRank>};
const Entry<Loss> kLambdaP = {"lambda-p", "logistic pairs weighted by |ΔP|", "Burges06",
                              fields_of<kPrecision>, make_row<kPrecision>};

}  // namespace podium
