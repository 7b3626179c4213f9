#include "server/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>

namespace podium {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kInputBytes = std::size_t{64} << 10;
constexpr std::size_t kOutputBytes = std::size_t{256} << 10;  // sent at once
constexpr std::size_t kMaxHeadBytes = std::size_t{32} << 10;
constexpr std::chrono::milliseconds kLinger{1000};

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

// Whether the descriptor gets ready before the deadline, and before `stop` (-1: never) does.
bool wait_for(int descriptor, short events, int stop, Clock::time_point deadline) {
  for (;;) {
    pollfd waiting[] = {{descriptor, events, 0}, {stop, POLLIN, 0}};
    const int ready = poll(waiting, 2, milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && waiting[1].revents == 0;
  }
}

}  // namespace

Connection::Connection(socket_t socket, int stop_event, const ConnectionLimits& limits)
    : socket_(socket), stop_event_(stop_event), limits_(limits), in_(kInputBytes) {}

bool Connection::wait_for_request() {
  if (is_over()) return false;
  if (in_begin_ == in_end_ && !wait_for(socket_, POLLIN, stop_event_, Clock::now() + limits_.idle))
    return false;
  deadline_ = Clock::now() + limits_.request;
  in_head_ = true;
  head_bytes_ = line_bytes_ = 0;
  return true;
}

bool Connection::fill(Clock::time_point deadline) {
  // A client that never pauses must come to an end, too.
  if (Clock::now() >= deadline || !wait_for(socket_, POLLIN, -1, deadline)) return false;
  ssize_t got;
  do got = recv(socket_, in_.data(), in_.size(), MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  in_begin_ = 0;
  in_end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0;
}

ssize_t Connection::read(char* to, std::size_t size) {
  if (failed_ || !flush()) return -1;
  if (in_begin_ == in_end_ && !fill(deadline_)) {
    failed_ = true;
    return -1;
  }
  const std::size_t count = std::min(size, in_end_ - in_begin_);
  std::memcpy(to, in_.data() + in_begin_, count);
  in_begin_ += count;
  if (in_head_) follow_head({to, count});
  return failed_ ? -1 : static_cast<ssize_t>(count);
}

void Connection::follow_head(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\n') {
      if (line_bytes_ == 0 && head_bytes_ > 2) {
        in_head_ = false;
        return;
      }
      line_bytes_ = 0;
    } else if (c != '\r') {
      ++line_bytes_;
    }
    ++head_bytes_;
  }
  if (head_bytes_ > kMaxHeadBytes) failed_ = true;
}

ssize_t Connection::write(const char* from, std::size_t size) {
  const std::string_view text(from, size);
  if (text.starts_with("HTTP/1.1 "))
    said_close_ |= text.find("\r\nConnection: close\r\n") != text.npos;
  out_.append(text);
  if (out_.size() >= kOutputBytes && !flush()) return -1;
  return static_cast<ssize_t>(size);
}

bool Connection::flush() {
  if (out_.empty()) return true;
  const auto deadline = Clock::now() + limits_.request;
  std::string_view left = out_;
  while (!left.empty()) {
    const ssize_t sent = send(socket_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
      left.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno == EAGAIN || errno == EWOULDBLOCK ? !wait_for(socket_, POLLOUT, -1, deadline)
                                                     : errno != EINTR)
      break;
  }
  const bool sent_all = left.empty();
  if (!sent_all) failed_ = true;
  out_.clear();
  return sent_all;
}

void Connection::finish() {
  flush();
  shutdown(socket_, SHUT_WR);
  const auto deadline = Clock::now() + kLinger;
  while (fill(deadline)) {
  }
}

}  // namespace podium
