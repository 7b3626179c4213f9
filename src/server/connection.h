// A client's connection as cpp-httplib sees it: buffered, and with a time limit for a request as a
// whole. (cpp-httplib's own stream limits the wait for each piece, so a client that sends a byte
// now and then could hold its thread for ever.)
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <httplib.h>

namespace podium {

struct ConnectionLimits {
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its last
  std::chrono::milliseconds idle{15'000};     // between requests
};

class Connection final : public httplib::Stream {
 public:
  // `stop_event`: a descriptor that becomes readable when the server is to stop. Does not own the
  // socket.
  Connection(socket_t socket, int stop_event, const ConnectionLimits& limits);

  // Waits for a request's first byte, and starts its clock. False: the client has gone or was idle
  // for too long, or the server stops.
  bool wait_for_request();
  // Sends what is left of the answer. False: the client does not take it.
  bool flush();
  // Whether the connection cannot be used again: the answer said so, or a limit was passed.
  bool is_over() const noexcept { return failed_ || said_close_; }
  // Sends the rest, says that nothing more comes, and lets a client that still sends get the answer
  // before the socket is closed.
  void finish();

  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  bool is_readable() const override { return !failed_; }
  bool is_writable() const override { return !failed_; }
  // Nobody asks.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool fill(Clock::time_point deadline);
  void follow_head(std::string_view bytes);

  socket_t socket_;
  int stop_event_;
  ConnectionLimits limits_;
  Clock::time_point deadline_;
  std::vector<char> in_;
  std::size_t in_begin_ = 0, in_end_ = 0;
  std::string out_;
  bool failed_ = false, said_close_ = false;

  // The request's head: everything before the first empty line.
  bool in_head_ = true;
  std::size_t head_bytes_ = 0, line_bytes_ = 0;
};

}  // namespace podium
