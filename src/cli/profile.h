// What --profile shows: where the work is, and what more threads would make of it.
#pragma once

#include <memory>
#include <string>

#include "cli/command.h"
#include "podium/work_profile.h"

namespace podium::cli {

// Tells the profile which phase has begun, and passes everything on.
std::shared_ptr<Observer> observe_phases(std::shared_ptr<Observer> observer, WorkProfile& profile);

Json profile_json(WorkProfile& work_profile);
std::string profile_text(WorkProfile& profile);

}  // namespace podium::cli
