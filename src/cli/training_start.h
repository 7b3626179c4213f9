// `podium train --init`: where training starts. A model file to continue, `feature:NAME` whose
// value is added to every score, or a scores file (one number per line), which also needs one for
// --valid.
#pragma once

#include <span>
#include <string>

#include "podium/training.h"

namespace podium::cli {

struct StartFiles {
  std::string init, valid_init;
};

// Loads a model; scores are read later, when the data is known.
void set_start(TrainingSpec& spec, const StartFiles& files);
// The model that is continued, or none.
std::span<const SavedModel> continued_model(const TrainingSpec& spec);
// Reads the scores, if there are any, for data as read. All ranks must call it.
void read_start_scores(TrainingSpec& spec, const StartFiles& files, const Dataset& train,
                       const Dataset* valid, Context& context);

}  // namespace podium::cli
