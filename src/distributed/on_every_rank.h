// A step that ranks take side by side and that may fail on any of them.
#pragma once

#include <functional>

#include "podium/communicator.h"

namespace podium {

// Runs `step` on every rank; it must not call the group. When it throws an Error on some ranks, all
// ranks throw the lowest one's: as it is where all ranks have the same, else with the rank's number
// in front.
void on_every_rank(Communicator& comm, const std::function<void()>& step);

// Runs `step` on rank 0 alone; when it throws an Error there, all ranks throw it.
void on_first_rank(Communicator& comm, const std::function<void()>& step);

}  // namespace podium
