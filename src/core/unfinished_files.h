// Which temporary files are being written right now, so that a program that a signal ends can take
// them away: a half file is never left behind, under whatever name.
#pragma once

#include <string>

namespace podium {

// Returns a ticket for forget_unfinished, or -1 when there is no room left or the name is too long:
// such a file is written all the same, and only a signal leaves it behind.
int remember_unfinished(const std::string& path);
void forget_unfinished(int ticket) noexcept;

// Deletes the files remembered. May be called in a signal handler.
void remove_unfinished() noexcept;

// From now on SIGINT, SIGTERM and SIGHUP delete them before they end the process as usual. For
// front ends: the library never installs it by itself.
void remove_unfinished_on_signals();

}  // namespace podium
