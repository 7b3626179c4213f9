// Fits a Transform to data: which features are kept, and how they are prepared.
#include <algorithm>

#include <fmt/format.h>

#include "data/transform/category_encoding.h"
#include "data/transform/imputation.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

Choices<Normalization> normalization_choices() {
  Choices<Normalization> choices;
  for (const std::string& name : normalization_names())
    choices.emplace_back(name, parse_normalization(name));
  return choices;
}

const Choices<BinRule>& bin_rule_choices() {
  static const Choices<BinRule> choices = {{"quantile", BinRule::quantile},
                                           {"even", BinRule::even}};
  return choices;
}

// The fills and indicators, for the transform's previous steps.
void fit_imputation(const TransformOptions& options, const Dataset& data, Transform& transform,
                    Context& context) {
  const Dataset scaled = apply(transform, data, context);
  transform.imputation = options.impute;
  transform.fills = fit_fills(options.impute, scaled, context);
  if (options.indicators == Indicators::no) return;
  const std::vector<bool> missing = missing_somewhere(scaled, context);
  for (std::size_t f = 0; f < missing.size(); ++f)
    if (missing[f]) transform.indicators.push_back(static_cast<std::uint32_t>(f));
}

}  // namespace

const OptionTable<TransformOptions>& transform_option_table() {
  static const OptionTable<TransformOptions> table =
      OptionTable<TransformOptions>()
          .add("features", &TransformOptions::features,
               "the features to keep: 1-10,15 or names (default: all)")
          .add("log1p", &TransformOptions::log1p, "replace x by sign(x) log(1 + |x|)")
          .add("normalize", &TransformOptions::normalize, "rescale each feature within each query",
               normalization_choices())
          .add("bins", &TransformOptions::bins,
               "replace each feature by indicators [x > t] at this many thresholds t; 0: off",
               between(0, 65536))
          .add("bin-rule", &TransformOptions::bin_rule,
               "how to place the thresholds of ‹bins›: at quantiles, or evenly spaced from the "
               "smallest to the largest value (0 to 1 after query-minmax and query-percentile)",
               bin_rule_choices());
  return table;
}

const std::vector<std::string>& bin_rule_names() {
  static const std::vector<std::string> names = choice_names(bin_rule_choices());
  return names;
}

std::string to_text(BinRule rule) {
  return choice_name(bin_rule_choices(), rule);
}

BinRule parse_bin_rule(std::string_view name) {
  if (const auto rule = choice_named(bin_rule_choices(), name)) return *rule;
  const auto& names = bin_rule_names();
  throw Error(ErrorCode::usage, fmt::format("unknown bin rule '{}': it is one of {}{}", name,
                                            fmt::join(names, ", "), suggestion(name, names)));
}

std::vector<std::vector<float>> fit_thresholds(const TransformOptions& options, const Dataset& data,
                                               Context& context) {
  const auto count = static_cast<int>(options.bins);
  std::optional<ValueRange> known;
  if (options.normalize == Normalization::query_minmax ||
      options.normalize == Normalization::query_percentile)
    known = ValueRange{0, 1};
  auto thresholds = options.bin_rule == BinRule::even ? even_thresholds(data, count, known, context)
                                                      : quantile_thresholds(data, count, context);
  for (const auto& category : data.schema().categories()) thresholds[category.feature].clear();
  if (std::all_of(thresholds.begin(), thresholds.end(),
                  [](const auto& cuts) { return cuts.empty(); }))
    throw Error(ErrorCode::data, "‹bins›: every feature is constant, so there is nothing to bin");
  return thresholds;
}

Transform fit_transform(const TransformOptions& options, const Dataset& data, Context& context) {
  Transform transform;
  if (!options.features.empty()) transform.features = parse_feature_list(options.features, data);
  transform.log1p = options.log1p;
  transform.normalization = options.normalize;
  if (options.impute != Imputation::none) fit_imputation(options, data, transform, context);
  if (options.bins != 0) {
    Transform before = transform;
    before.indicators.clear();
    transform.thresholds = fit_thresholds(options, apply(before, data, context), context);
  }
  transform.schema = data.schema();
  if (!data.schema().all_numbers() && !transform.features.empty())
    transform.schema = data.schema().selected(find_features(transform.features, data));
  if (options.encode != Encoding::codes && !transform.schema.all_numbers()) {
    Transform selection;
    selection.features = transform.features;
    transform.encodings = fit_encodings(options.encode, apply(selection, data, context), context);
  }
  if (!transform.is_identity() && transform.features.empty())
    transform.features = data.feature_names();
  return transform;
}

}  // namespace podium
