#include "training.h"

#include "podium/error.h"

namespace podium::python {
namespace {

void require_validation_scores(const TrainingSpec& spec, const Dataset* valid) {
  const auto* const scores = std::get_if<TrainingSpec::StartScores>(&spec.start);
  if (scores && valid && scores->valid.empty())
    throw Error(ErrorCode::usage, "init has scores for X: give eval_init for eval_set too");
}

}  // namespace

Trained train(const TrainingRequest& request, const Dataset& data, const Dataset* valid,
              Context& context) {
  require_validation_scores(request, valid);
  choose_learner(request);
  return podium::train(request, prepare(request, data, valid, context), context);
}

}  // namespace podium::python
