// The process that started this rank: Open MPI's mpirun, or its daemon on another host.
//
// When a host is lost, mpirun and the daemons wait for each other until TCP gives the connection
// up, a quarter of an hour (tcp_retries2), though every rank has ended. This cannot be shortened:
// their sockets have keepalives, which do not help while data is in flight.
#pragma once

#include <chrono>

namespace podium {

// Ends the launcher if it is still there after so long, also when this process is not any more.
// Nothing happens where something else than Open MPI started this process.
void end_launcher_after(std::chrono::milliseconds patience);

}  // namespace podium
