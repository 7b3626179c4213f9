#include "cli/training_start.h"

#include "cli/data_options.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium::cli {
namespace {

constexpr std::string_view kFeaturePrefix = "feature:";

}  // namespace

void set_start(TrainingSpec& spec, const StartFiles& files) {
  if (is_model_path(files.init))
    spec.start = std::make_shared<const SavedModel>(load_model(files.init));
  else if (files.init.starts_with(kFeaturePrefix))
    spec.start = TrainingSpec::StartFeature{files.init.substr(kFeaturePrefix.size())};
  else if (!files.init.empty())
    spec.start = TrainingSpec::StartScores{};
  if (!files.valid_init.empty() && !std::holds_alternative<TrainingSpec::StartScores>(spec.start))
    throw Error(ErrorCode::usage, "--valid-init needs a scores file for --init");
}

std::span<const SavedModel> continued_model(const TrainingSpec& spec) {
  const auto* const model = std::get_if<std::shared_ptr<const SavedModel>>(&spec.start);
  return model ? std::span(model->get(), 1) : std::span<const SavedModel>();
}

void read_start_scores(TrainingSpec& spec, const StartFiles& files, const Dataset& train,
                       const Dataset* valid, Context& context) {
  auto* const scores = std::get_if<TrainingSpec::StartScores>(&spec.start);
  if (!scores) return;
  scores->train = read_scores_share(files.init, train, context);
  if (!valid) return;
  if (files.valid_init.empty())
    throw Error(ErrorCode::usage,
                "--init has scores for the training data: give --valid-init for the validation "
                "data too");
  scores->valid = read_scores_share(files.valid_init, *valid, context);
}

}  // namespace podium::cli
