// Steps that ranks run in parallel and that may fail on any of them.
#pragma once

#include <functional>

#include "podium/communicator.h"

namespace podium {

// Runs `step` on every rank; it must not call the communicator. If it throws an Error on some
// ranks, all ranks throw that of the lowest one: unchanged if all ranks have the same, else
// prefixed with the rank's number.
void on_every_rank(Communicator& comm, const std::function<void()>& step);

// Runs `step` on rank 0 only; if it throws an Error there, all ranks throw it.
void on_first_rank(Communicator& comm, const std::function<void()>& step);

}  // namespace podium
