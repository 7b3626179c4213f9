// The open connections of a server, each served by its own thread.
#pragma once

#include <map>
#include <mutex>
#include <thread>

#include "server/connection.h"

namespace podium {

class OpenConnections {
 public:
  // During its lifetime the calling thread serves the connection.
  class Served {
   public:
    Served(OpenConnections& all, Connection& connection);
    ~Served();
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

   private:
    OpenConnections& all_;
  };

  // The connection that the calling thread serves; there must be one.
  Connection& mine() const;
  // Ends the one that has been idle for the longest time. False if none is idle.
  bool dismiss_longest_idle() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::thread::id, Connection*> by_thread_;
};

}  // namespace podium
