// Learns a Transform from data: which features, and how they are prepared.
#include <algorithm>

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
               "replace each feature by indicators of its quantiles; 0: do not", between(0, 65536));
  return table;
}

Transform fit_transform(const TransformOptions& options, const Dataset& data, Context& context) {
  Transform transform;
  if (!options.features.empty()) transform.features = parse_feature_list(options.features, data);
  transform.log1p = options.log1p;
  transform.normalization = parse_normalization(options.normalize);
  if (options.bins != 0) {
    transform.thresholds = quantile_thresholds(apply(transform, data, context),
                                               static_cast<int>(options.bins), context);
    if (std::all_of(transform.thresholds.begin(), transform.thresholds.end(),
                    [](const auto& cuts) { return cuts.empty(); }))
      throw Error(ErrorCode::data, "--bins: every feature is constant, so there is nothing to cut");
  }
  if (!transform.is_identity() && transform.features.empty())
    transform.features = data.feature_names();
  return transform;
}

}  // namespace podium
