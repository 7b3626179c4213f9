// A client's connection for cpp-httplib: buffered, and with a time limit for a whole request.
// (cpp-httplib's stream limits only the wait for each piece, so a client that sends a byte now and
// then could block its thread forever.) The whole head of a request is received before cpp-httplib
// sees any of it, so that errors in it can be answered.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <httplib.h>

namespace podium {

struct ConnectionLimits {
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its last
  std::chrono::milliseconds idle{10'000};     // between requests
};

class Connection final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  // `stop_event`: a descriptor that becomes readable when the server should stop. Does not own the
  // socket.
  Connection(socket_t socket, int stop_event, const ConnectionLimits& limits);

  // What has arrived of the next request: its whole head, nothing (the client has gone or was idle
  // for too long, the server stops, or dismiss() was called), or a head that must be refused.
  enum class Arrival : std::uint8_t { request, nothing, late, long_line, large_head, malformed };
  // The request's clock starts with its first byte.
  Arrival wait_for_request();
  // Reads the following body, in chunks of at most this many bytes in total, to its end. If it
  // returns false, see failure().
  bool read_chunks(std::uint64_t max_bytes, std::string& body);
  // Why nothing more can be read.
  enum class Failure : std::uint8_t { none, gone, late, bad_chunks, too_large };
  Failure failure() const noexcept { return failure_; }

  // Sends the rest of the answer. False if the client does not accept it.
  bool flush();
  // Whether the connection cannot be used again: the answer said so, or a limit was exceeded.
  bool is_over() const noexcept { return failure_ != Failure::none || said_close_; }
  // Sends the rest, shuts down sending, and lets a client that is still sending receive the answer
  // before the socket is closed.
  void finish();

  // For other threads: since when the connection has been waiting for a request; nullopt while it
  // serves one.
  std::optional<Clock::time_point> idle_since() const noexcept;
  // For other threads: ends the connection if it is still waiting.
  bool dismiss();

  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  bool is_readable() const override { return failure_ == Failure::none; }
  bool is_writable() const override { return failure_ == Failure::none; }
  // Addresses are not needed.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  enum class State : std::uint8_t { serving, waiting, dismissed };

  bool wait_while_idle();
  Arrival await_head();
  bool receive(Clock::time_point deadline);
  std::string_view unread() const noexcept { return {in_.data() + in_begin_, in_end_ - in_begin_}; }

  socket_t socket_;
  int stop_event_;
  ConnectionLimits limits_;
  Clock::time_point deadline_;
  std::vector<char> in_;
  std::size_t in_begin_ = 0, in_end_ = 0;
  std::string out_;
  Failure failure_ = Failure::none;
  bool said_close_ = false, served_ = false;

  std::atomic<State> state_ = State::serving;
  std::atomic<Clock::time_point> waiting_since_;
};

}  // namespace podium
