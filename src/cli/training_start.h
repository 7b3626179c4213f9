// `podium train --init`: where training starts. A model file to continue, `feature:NAME` whose
// value is added to every score, or a scores file (one number per line) with one for --valid as
// well it.
#pragma once

#include <string>

#include "podium/training.h"

namespace podium::cli {

struct StartFiles {
  std::string init, valid_init;
};

// Loads a model; scores have to wait for the data.
void set_start(TrainingSpec& spec, const StartFiles& files);
// Reads the scores, where there are any, of data as read. All ranks must call it.
void read_start_scores(TrainingSpec& spec, const StartFiles& files, const Dataset& train,
                       const Dataset* valid, Context& context);

}  // namespace podium::cli
