#include "learners/boosting/first_forest.h"

#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {

void check_start(const TrainingProblem::Start& start, const BoostingOptions& options,
                 const BoostedLoss& loss) {
  if (!options.monotone.empty() && (start.model || start.offset_feature))
    throw Error(ErrorCode::usage,
                "‹monotone› cannot constrain the trees that ‹init› brings: omit one of the two");
  if (loss.outputs() == 1) return;
  if (options.noise > 0)
    throw Error(ErrorCode::usage, "‹noise› needs a loss with one output per document");
  if (start.offset_feature || !start.train_offset.empty())
    throw Error(ErrorCode::usage,
                "‹init› with scores or a feature needs a loss with one output per document");
  if (!options.monotone.empty() && loss.bound().link().kind == Link::Kind::softmax)
    throw Error(ErrorCode::usage,
                "‹monotone› cannot hold for the mean of a softmax: use another loss (mcrank: "
                "‹variant ordinal›)");
}

Forest first_forest(const TrainingProblem::Start& start, const Dataset& train,
                    const BoostedLoss& loss) {
  if (start.model) {
    const Error other(ErrorCode::usage,
                      "the model to start from is not a forest with these features and this loss's "
                      "kind of score");
    const Forest& given = require_forest(*start.model, other);
    if (given.features != train.features() || given.link != loss.bound().link()) throw other;
    return given;
  }
  Forest forest;
  forest.features = train.features();
  forest.link = loss.bound().link();
  forest.base.assign(loss.outputs(), 0.0);
  forest.offset_feature = start.offset_feature;
  return forest;
}

}  // namespace podium
