#include "server/http_server.h"

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "podium/error.h"
#include "server/address.h"
#include "server/answers.h"
#include "server/head_scanner.h"

namespace podium {
namespace {

constexpr int kBacklog = 128;
constexpr std::chrono::milliseconds kMoment{100}, kRush{1000};
// An answer outside cpp-httplib. `fields`: further lines of its head.
std::string plain_answer(std::string_view status, std::string_view reason,
                         std::string_view fields = {}) {
  const std::string body = error_answer(reason);
  return fmt::format(
      "HTTP/1.1 {}\r\nConnection: close\r\n{}Content-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      status, fields, body.size(), body);
}

std::string head_answer(Connection::Arrival what, const ConnectionLimits& limits) {
  switch (what) {
    case Connection::Arrival::late:
      return plain_answer("408 Request Timeout",
                          fmt::format("the request must arrive within {} seconds",
                                      static_cast<double>(limits.request.count()) / 1000));
    case Connection::Arrival::long_line:
      return plain_answer("414 URI Too Long",
                          fmt::format("the request's first line is longer than {} bytes; documents "
                                      "go into the body",
                                      HeadScanner::kMaxLine));
    case Connection::Arrival::large_head:
      return plain_answer(
          "431 Request Header Fields Too Large",
          fmt::format(
              "a header field is longer than {} bytes, or the whole header is longer than {}",
              HeadScanner::kMaxLine, HeadScanner::kMaxHead));
    default:
      return plain_answer("400 Bad Request", "not HTTP: header lines end with CR LF");
  }
}

}  // namespace

// One thread for each connection that may be open. One connection too many waits for the thread of
// a connection that is dismissed for it, or stays in the accepting thread, where
// process_and_close_socket refuses it.
class HttpServer::ConnectionThreads final : public httplib::TaskQueue {
 public:
  ConnectionThreads(std::size_t limit, std::atomic<std::int64_t>& open,
                    const OpenConnections& connections)
      : limit_(static_cast<std::int64_t>(limit)), open_(open), connections_(connections) {
    for (std::size_t i = 0; i < limit; ++i) threads_.emplace_back([this] { work(); });
  }

  void enqueue(std::function<void()> serve) override {
    if (!make_room()) {
      serve();
      return;
    }
    ++open_;
    {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(std::move(serve));
    }
    wake_.notify_one();
  }

  void shutdown() override {
    {
      const std::scoped_lock lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool has_room() const { return open_ < limit_ || connections_.dismiss_longest_idle(); }

  // A connection may be about to end, or to become idle: worth a short wait, but not during a
  // burst, where it would delay all others.
  bool make_room() {
    if (has_room()) return true;
    const auto begin = Clock::now();
    const bool in_rush = begin - last_refusal_ < kRush;
    while (!in_rush && Clock::now() - begin < kMoment) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (has_room()) return true;
    }
    last_refusal_ = Clock::now();
    return false;
  }

  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const auto serve = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      serve();
      --open_;
    }
  }

  std::int64_t limit_;
  std::atomic<std::int64_t>& open_;
  const OpenConnections& connections_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  bool closing_ = false;
  Clock::time_point last_refusal_ = Clock::now() - kRush;
  std::vector<std::thread> threads_;
};

HttpServer::HttpServer(std::string host, int port, const HttpLimits& limits)
    : host_(std::move(host)),
      limits_(limits),
      port_(bind_server(*this, host_, port)),
      stop_event_(eventfd(0, EFD_CLOEXEC)) {
  if (stop_event_ < 0) throw Error(ErrorCode::file, "cannot make an event descriptor");
  ::listen(svr_sock_, kBacklog);  // with cpp-httplib's 5, bursts lose connections
  set_payload_max_length(static_cast<std::size_t>(limits.body_bytes));
  // cpp-httplib would announce its own limits, which are not in force, and repeats `Connection:
  // close` if the handler has set it.
  set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
    response.headers.erase("Keep-Alive");
    if (response.headers.erase("Connection") > 0) response.set_header("Connection", "close");
  });
}

HttpServer::~HttpServer() {
  finish();
  close(stop_event_);
}

void HttpServer::start() {
  std::promise<void> listening;
  // The server creates its threads when stop() can reach it.
  new_task_queue = [this, &listening] {
    listening.set_value();
    return new ConnectionThreads(static_cast<std::size_t>(limits_.connections), open_,
                                 connections_);
  };
  acceptor_ = std::thread([this] { listen_until_stopped(); });
  listening.get_future().wait();
}

void HttpServer::listen_until_stopped() {
  accepting_ = std::this_thread::get_id();
  // cpp-httplib gives up when accept() fails, also for temporary reasons (a client that left before
  // it was accepted, a temporary lack of memory).
  while (!listen_after_bind() && !stopping_) {
    new_task_queue = [this] {
      return new ConnectionThreads(static_cast<std::size_t>(limits_.connections), open_,
                                   connections_);
    };
    if (!bind_to_port(host_, port_)) return;
    ::listen(svr_sock_, kBacklog);
  }
}

void HttpServer::finish() {
  if (!acceptor_.joinable()) return;
  stopping_ = true;
  const std::uint64_t one = 1;
  while (write(stop_event_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  stop();
  acceptor_.join();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  if (std::this_thread::get_id() == accepting_)
    refuse(socket);
  else
    answer_requests(socket);
  return close(socket) == 0;
}

void HttpServer::answer_requests(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  Connection connection(socket, stop_event_, limits_.connection);
  const OpenConnections::Served served(connections_, connection);
  bool closed = false;
  while (!closed) {
    const Connection::Arrival what = connection.wait_for_request();
    if (what == Connection::Arrival::nothing && !connection.is_over()) return;
    if (what != Connection::Arrival::request) {
      if (what != Connection::Arrival::nothing) refuse_head(connection, what);
      break;
    }
    const bool answered = process_request(
        connection, stopping_, closed, [](httplib::Request& request) { request.ranges.clear(); });
    if (!answered || !connection.flush()) break;
  }
  connection.finish();
}

void HttpServer::refuse_head(Connection& connection, Connection::Arrival what) {
  ++refused_heads_;
  const std::string answer = head_answer(what, limits_.connection);
  connection.write(answer.data(), answer.size());
}

void HttpServer::refuse(socket_t socket) {
  ++refused_;
  char unread[4096];  // closing with unread bytes would discard the answer
  recv(socket, unread, sizeof unread, MSG_DONTWAIT);
  const std::string busy =
      plain_answer("503 Service Unavailable", "too many connections", "Retry-After: 1\r\n");
  send(socket, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(socket, SHUT_WR);
}

}  // namespace podium
