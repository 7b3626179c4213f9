#include "server/connection.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/socket.h>

#include "server/chunk_decoder.h"
#include "server/head_scanner.h"

namespace podium {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kInputBytes = std::size_t{64} << 10;
constexpr std::size_t kOutputBytes = std::size_t{256} << 10;  // sent at once
constexpr std::chrono::milliseconds kLinger{1000};

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

// Whether the descriptor becomes ready before the deadline, and before `stop` (-1: none) does.
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

bool Connection::wait_while_idle() {
  const auto now = Clock::now();
  waiting_since_ = now;
  state_ = State::waiting;
  const bool came =
      wait_for(socket_, POLLIN, stop_event_, now + (served_ ? limits_.idle : limits_.request));
  State expected = State::waiting;
  return state_.compare_exchange_strong(expected, State::serving) && came;
}

std::optional<Connection::Clock::time_point> Connection::idle_since() const noexcept {
  if (state_ != State::waiting) return std::nullopt;
  return waiting_since_.load();
}

bool Connection::dismiss() {
  pollfd arrived{socket_, POLLIN, 0};
  if (poll(&arrived, 1, 0) != 0) return false;  // its thread is about to wake up
  State expected = State::waiting;
  if (!state_.compare_exchange_strong(expected, State::dismissed)) return false;
  shutdown(socket_, SHUT_RDWR);  // wakes its thread
  return true;
}

Connection::Arrival Connection::wait_for_request() {
  if (is_over() || (unread().empty() && !wait_while_idle())) return Arrival::nothing;
  deadline_ = Clock::now() + limits_.request;
  served_ = true;
  return await_head();
}

Connection::Arrival Connection::await_head() {
  static_assert(kInputBytes > HeadScanner::kMaxHead);
  HeadScanner head;
  std::memmove(in_.data(), in_.data() + in_begin_, in_end_ - in_begin_);
  in_end_ -= std::exchange(in_begin_, 0);
  std::size_t scanned = 0;
  for (;;) {
    // Some clients send an empty line after a body (RFC 9112, 2.2).
    while (scanned == 0 && unread().starts_with("\r\n")) in_begin_ += 2;
    if (scanned > 0 || unread() != "\r") {
      const HeadScanner::State state = head.feed(unread().substr(scanned));
      scanned = unread().size();
      switch (state) {
        case HeadScanner::State::complete:
          return Arrival::request;
        case HeadScanner::State::long_line:
          return Arrival::long_line;
        case HeadScanner::State::too_large:
          return Arrival::large_head;
        case HeadScanner::State::malformed:
          return Arrival::malformed;
        case HeadScanner::State::open:
          break;
      }
    }
    if (!receive(deadline_)) return failure_ == Failure::late ? Arrival::late : Arrival::nothing;
  }
}

bool Connection::receive(Clock::time_point deadline) {
  if (in_begin_ == in_end_) in_begin_ = in_end_ = 0;
  // A client that never pauses must not go on forever either.
  if (Clock::now() >= deadline || !wait_for(socket_, POLLIN, -1, deadline)) {
    failure_ = Failure::late;
    return false;
  }
  ssize_t got;
  do got = recv(socket_, in_.data() + in_end_, in_.size() - in_end_, MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got <= 0) {
    failure_ = Failure::gone;
    return false;
  }
  in_end_ += static_cast<std::size_t>(got);
  return true;
}

bool Connection::read_chunks(std::uint64_t max_bytes, std::string& body) {
  if (failure_ != Failure::none || !flush()) return false;
  ChunkDecoder chunks(max_bytes);
  while (chunks.state() == ChunkDecoder::State::open) {
    if (unread().empty() && !receive(deadline_)) return false;
    in_begin_ += chunks.feed(unread(), body);
  }
  if (chunks.state() == ChunkDecoder::State::malformed) failure_ = Failure::bad_chunks;
  if (chunks.state() == ChunkDecoder::State::too_large) failure_ = Failure::too_large;
  return failure_ == Failure::none;
}

ssize_t Connection::read(char* to, std::size_t size) {
  if (failure_ != Failure::none || !flush()) return -1;
  if (unread().empty() && !receive(deadline_)) return -1;
  const std::string_view bytes = unread().substr(0, size);
  std::memcpy(to, bytes.data(), bytes.size());
  in_begin_ += bytes.size();
  return static_cast<ssize_t>(bytes.size());
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
  if (!sent_all) failure_ = Failure::gone;
  out_.clear();
  return sent_all;
}

void Connection::finish() {
  flush();
  shutdown(socket_, SHUT_WR);
  const auto deadline = Clock::now() + kLinger;
  do in_begin_ = in_end_ = 0;
  while (receive(deadline));
}

}  // namespace podium
