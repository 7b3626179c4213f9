// Learns a Transform from data: which features, and how they are prepared.
#include <algorithm>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/transform.h"

namespace podium {

const OptionTable<TransformOptions>& transform_option_table() {
  static const OptionTable<TransformOptions> table =
      OptionTable<TransformOptions>()
          .add("features", &TransformOptions::features,
               "the features to keep: 1-10,15 or names (default: all)")
          .add("log1p", &TransformOptions::log1p, "replace x by sign(x) log(1 + |x|)")
          .add("normalize", &TransformOptions::normalize, "rescale each feature within each query",
               normalization_names())
          .add("bins", &TransformOptions::bins,
               "replace each feature by indicators [x > t] of so many thresholds t; 0: do not",
               between(0, 65536))
          .add("bin-rule", &TransformOptions::bin_rule,
               "where the thresholds of --bins lie: at quantiles, or evenly spaced from the "
               "smallest to the largest value (0 to 1 after query-minmax and query-percentile)",
               bin_rule_names());
  return table;
}

const std::vector<std::string>& bin_rule_names() {
  static const std::vector<std::string> names = {"quantile", "even"};
  return names;
}

void check_bin_rule(std::string_view name) {
  const auto& names = bin_rule_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(ErrorCode::usage, fmt::format("unknown bin rule '{}': it is one of {}{}", name,
                                              fmt::join(names, ", "), suggestion(name, names)));
}

std::vector<std::vector<float>> fit_thresholds(const TransformOptions& options, const Dataset& data,
                                               Context& context) {
  const auto count = static_cast<int>(options.bins);
  check_bin_rule(options.bin_rule);
  const auto normalization = parse_normalization(options.normalize);
  std::optional<ValueRange> known;
  if (normalization == Normalization::query_minmax ||
      normalization == Normalization::query_percentile)
    known = ValueRange{0, 1};
  auto thresholds = options.bin_rule == "even" ? even_thresholds(data, count, known, context)
                                               : quantile_thresholds(data, count, context);
  if (std::all_of(thresholds.begin(), thresholds.end(),
                  [](const auto& cuts) { return cuts.empty(); }))
    throw Error(ErrorCode::data, "--bins: every feature is constant, so there is nothing to cut");
  return thresholds;
}

Transform fit_transform(const TransformOptions& options, const Dataset& data, Context& context) {
  Transform transform;
  if (!options.features.empty()) transform.features = parse_feature_list(options.features, data);
  transform.log1p = options.log1p;
  transform.normalization = parse_normalization(options.normalize);
  if (options.bins != 0)
    transform.thresholds = fit_thresholds(options, apply(transform, data, context), context);
  if (!transform.is_identity() && transform.features.empty())
    transform.features = data.feature_names();
  return transform;
}

}  // namespace podium
