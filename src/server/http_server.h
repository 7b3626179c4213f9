// cpp-httplib's server with the additions that a public server needs: one thread per connection up
// to a limit, a time limit per request (connection.h), and a stop that lets running requests
// finish. A connection beyond the limit replaces the one that has been idle longest, or is answered
// with 503 if none is idle.
//
// Add routes, then start(). The destructor stops.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include <httplib.h>

#include "server/open_connections.h"

namespace podium {

struct HttpLimits {
  std::int64_t body_bytes = std::int64_t{16} << 20;
  std::int64_t connections = 64;  // open at once
  ConnectionLimits connection;
};

class HttpServer : public httplib::Server {
 public:
  // Binds; throws an Error if the address is not available. Port 0: any free one.
  HttpServer(std::string host, int port, const HttpLimits& limits);
  ~HttpServer() override;

  void start();
  // Accepts no more requests, and waits for running ones.
  void finish();

  const std::string& host() const noexcept { return host_; }
  int port() const noexcept { return port_; }
  const HttpLimits& limits() const noexcept { return limits_; }
  std::int64_t open_connections() const noexcept { return open_; }
  std::int64_t refused_connections() const noexcept { return refused_; }
  // Requests that were refused before routing: late, too large or malformed heads.
  std::int64_t refused_heads() const noexcept { return refused_heads_; }
  // The connection of the calling handler.
  Connection& connection() const { return connections_.mine(); }

 private:
  class ConnectionThreads;

  bool process_and_close_socket(socket_t socket) override;
  void answer_requests(socket_t socket);
  void refuse_head(Connection& connection, Connection::Arrival what);
  void refuse(socket_t socket);
  void listen_until_stopped();

  std::string host_;
  HttpLimits limits_;
  int port_;
  int stop_event_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::int64_t> open_ = 0, refused_ = 0, refused_heads_ = 0;
  OpenConnections connections_;
  std::thread acceptor_;
  std::thread::id accepting_;  // set by that thread before it starts others
};

}  // namespace podium
