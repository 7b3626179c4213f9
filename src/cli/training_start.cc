#include "cli/training_start.h"

#include "cli/data_options.h"
#include "data/trained_feature.h"
#include "podium/error.h"

namespace podium::cli {
namespace {

constexpr std::string_view kFeaturePrefix = "feature:";

}  // namespace

TrainingStart::TrainingStart(std::string init, std::string valid_init)
    : init_(std::move(init)), valid_init_(std::move(valid_init)) {
  if (is_model_path(init_)) model_ = load_model(init_);
  const bool from_scores = !init_.empty() && !model_ && !init_.starts_with(kFeaturePrefix);
  if (!valid_init_.empty() && !from_scores)
    throw Error(ErrorCode::usage, "--valid-init goes with a scores file for --init");
}

TrainingProblem::Start TrainingStart::start(const Dataset& train, const Dataset* valid,
                                            const Dataset& prepared, Context& context) {
  TrainingProblem::Start out;
  if (init_.empty()) return out;
  if (model_) {
    out.model = &model_->model;
    return out;
  }
  if (init_.starts_with(kFeaturePrefix)) {
    const std::string name = init_.substr(kFeaturePrefix.size());
    out.offset_feature = static_cast<std::uint32_t>(find_trained_feature("--init", name, prepared));
    return out;
  }
  train_offset_ = read_scores_share(init_, train, context);
  out.train_offset = train_offset_;
  if (!valid) return out;
  if (valid_init_.empty())
    throw Error(ErrorCode::usage,
                "--init has scores for the training data: give --valid-init for the validation "
                "data too");
  valid_offset_ = read_scores_share(valid_init_, *valid, context);
  out.valid_offset = valid_offset_;
  return out;
}

}  // namespace podium::cli
