// The connections that a server has open, each served by its own thread.
#pragma once

#include <map>
#include <mutex>
#include <thread>

#include "server/connection.h"

namespace podium {

class OpenConnections {
 public:
  // While it lives, the calling thread serves the connection.
  class Served {
   public:
    Served(OpenConnections& all, Connection& connection);
    ~Served();
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

   private:
    OpenConnections& all_;
  };

  // The one that the calling thread serves; there must be one.
  Connection& mine() const;
  // Ends the one that has been without a request for the longest time. False: all serve one.
  bool dismiss_longest_idle() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::thread::id, Connection*> by_thread_;
};

}  // namespace podium
