// What scoring does with --device.
#pragma once

#include <string>

#include "podium/model.h"

namespace podium::cli {

// Adds a note if another device than the CPU was chosen, and the model has no trees to use it for.
void note_scoring_device(const SavedModel& model, const std::string& path, Context& context);

}  // namespace podium::cli
