// Where an exported forest sends missing values: as the model does if the format can say that and
// its reader follows; else as the reader does, if the model never learned a side of its own.
#pragma once

#include "models/exporters/portable_model.h"

namespace podium {

// Throws an Error if the model learned a side that the reader would not take.
void fit_missing(Forest& forest, const Capabilities& can, const ExportOptions& options,
                 ExportedModel& exported);

}  // namespace podium
