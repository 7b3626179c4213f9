// Registers temporary files while they are being written, so that a program ended by a signal can
// delete them and never leaves incomplete files behind.
#pragma once

#include <string>

namespace podium {

// Returns a ticket for forget_unfinished, or -1 if there is no free slot or the name is too long:
// such a file is still written, but a signal leaves it behind.
int remember_unfinished(const std::string& path);
void forget_unfinished(int ticket) noexcept;

// Deletes the registered files. May be called in a signal handler.
void remove_unfinished() noexcept;

// After this call SIGINT, SIGTERM and SIGHUP delete them before they end the process as usual. For
// front ends: the library never installs it by itself.
void remove_unfinished_on_signals();

}  // namespace podium
