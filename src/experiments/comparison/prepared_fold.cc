#include "experiments/comparison/prepared_fold.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/content.h"
#include "data/present_features.h"
#include "data/transform/expected_types.h"
#include "podium/error.h"
#include "trees/bin_cache.h"

namespace podium {

std::shared_ptr<const PreparedFold::View> prepare_view(const FoldData& data,
                                                       const TransformOptions& steps,
                                                       const std::string& feature,
                                                       const Learner& learner, Context& context) {
  FoldData seen = data;
  if (!feature.empty()) {
    const std::vector<std::string> names = seen.train.feature_names();
    if (std::find(names.begin(), names.end(), feature) == names.end())
      throw Error(ErrorCode::data, fmt::format("no feature '{}' in the training data{}", feature,
                                               suggestion(feature, names)));
    Transform only;
    only.features = {feature};
    for (Dataset* part : {&seen.train, &seen.valid, &seen.test})
      *part = apply(only, *part, context);
  }
  auto view = std::make_shared<PreparedFold::View>();
  view->transform = fit_training_transform(steps, seen.train, context);
  view->train = with_content(apply(view->transform, seen.train, context), {}, context);
  if (learner.needs_rows_in_order()) view->train = in_content_order(view->train, context.pool);
  view->valid = apply(view->transform, seen.valid, context);
  view->test = apply(view->transform, seen.test, context);
  if (view->transform.schema.all_numbers())
    for (const Dataset* part : {&*view->valid, &view->test}) require_numbers(*part);
  view->bins = std::make_shared<BinCache>();
  return view;
}

std::shared_ptr<const PreparedFold::View> PreparedFold::view(const TransformOptions& steps,
                                                             const std::string& feature,
                                                             const Learner& learner,
                                                             Context& context) {
  const std::scoped_lock lock(mutex_);
  auto& known = views_[{steps.features, feature, steps.normalize, steps.bin_rule,
                        steps.log1p ? 1 : 0, steps.bins, learner.needs_rows_in_order()}];
  if (!known) known = prepare_view(data_, steps, feature, learner, context);
  return known;
}

}  // namespace podium
