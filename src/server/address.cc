#include "server/address.h"

#include <cerrno>
#include <string>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "podium/error.h"

namespace podium {
namespace {

std::string in_url(const std::string& host) {
  return host.find(':') == host.npos ? host : "[" + host + "]";
}

// "127.0.0.1:8080" and "[::1]:8080" without the port.
std::string host_of(const std::string& address) {
  if (address.starts_with('[')) return address.substr(1, address.find(']') - 1);
  return address.substr(0, address.find(':'));
}

}  // namespace

std::string url_of(const std::string& host, int port) {
  return fmt::format("http://{}:{}/", in_url(host), port);
}

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) == 1)
    return (ntohl(address.s_addr) >> 24) == IN_LOOPBACKNET;
  return host == "localhost" || host == "::1";
}

bool is_addressed_here(const httplib::Request& request, const std::string& host) {
  return !is_loopback(host) || is_loopback(host_of(request.get_header_value("Host")));
}

namespace {

// Throws an Error with the reason: tries to bind again, because cpp-httplib does not report it. A
// name that is not an address is the user's mistake; everything else is the state of the machine.
[[noreturn]] void fail_to_bind(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0)
    throw Error(
        ErrorCode::usage,
        fmt::format(
            "‹host {}›: no such address; 127.0.0.1 is this machine only, 0.0.0.0 admits others",
            host));
  int problem = 0;
  for (const addrinfo* at = found; at && problem == 0; at = at->ai_next) {
    const int socket = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (socket < 0 || bind(socket, at->ai_addr, at->ai_addrlen) != 0 || listen(socket, 1) != 0)
      problem = errno;
    if (socket >= 0) close(socket);
  }
  freeaddrinfo(found);
  std::string why = "try again";
  if (problem == EADDRINUSE) why = "the port is taken; ‹port 0› finds a free one";
  if (problem == EADDRNOTAVAIL) why = "this machine does not have the address";
  if (problem == EACCES) why = "the port needs privileges; 1024 and above do not";
  throw Error(ErrorCode::file, fmt::format("cannot listen on {}:{}: {}", in_url(host), port, why));
}

}  // namespace

int bind_server(httplib::Server& server, const std::string& host, int port) {
  // The default allows two servers to share a port (SO_REUSEPORT), each receiving some of the
  // requests.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  const int bound =
      port == 0 ? server.bind_to_any_port(host) : (server.bind_to_port(host, port) ? port : -1);
  if (bound <= 0) fail_to_bind(host, port);
  return bound;
}

}  // namespace podium
