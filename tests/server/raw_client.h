// A client that sends raw bytes, as slowly or as wrongly as a test needs.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace podium::testing {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  bool send(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  // Until `end` was received, or the server closes, or 20 s have passed (then "").
  std::string receive(std::string_view end = {}) {
    std::string got;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
      pollfd waiting{socket_, POLLIN, 0};
      if (poll(&waiting, 1, 1000) <= 0) continue;
      char bytes[4096];
      const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
      if (count <= 0) {
        closed_ = true;
        return got;
      }
      got.append(bytes, static_cast<std::size_t>(count));
      if (!end.empty() && got.find(end) != got.npos) return got;
    }
    return {};
  }
  bool was_closed() const { return closed_; }

 private:
  int socket_;
  bool connected_ = false, closed_ = false;
};

}  // namespace podium::testing
