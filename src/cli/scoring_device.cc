#include "cli/scoring_device.h"

#include <fmt/format.h>

#include "models/model_kinds.h"

namespace podium::cli {

void note_scoring_device(const SavedModel& model, const std::string& path, Context& context) {
  if (context.device.kind == Device::Kind::cpu || tree_count(model.model)) return;
  context.observer.note(fmt::format("--device {}: {} scores on the CPU: it has no trees",
                                    to_text(context.device), path));
}

}  // namespace podium::cli
