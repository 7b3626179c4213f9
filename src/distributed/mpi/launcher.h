// The process that started this rank: Open MPI's mpirun, or its daemon on another host.
//
// When a host is lost, mpirun and the daemons wait for each other until TCP gives up the
// connection, a quarter of an hour (tcp_retries2), even though every rank has ended. There is no
// setting to shorten this: their sockets have keepalives, which do not help while data is in
// flight.
#pragma once

#include <chrono>

namespace podium {

// Ends the launcher if it is still running after this time, even if this process has ended by then.
// Does nothing if Open MPI did not start this process.
void end_launcher_after(std::chrono::milliseconds patience);

}  // namespace podium
