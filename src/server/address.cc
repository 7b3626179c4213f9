#include "server/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

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

int bind_server(httplib::Server& server, const std::string& host, int port) {
  // The default lets two servers share a port (SO_REUSEPORT), each with a part of the requests.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  const int bound =
      port == 0 ? server.bind_to_any_port(host) : (server.bind_to_port(host, port) ? port : -1);
  if (bound <= 0)
    throw Error(ErrorCode::usage,
                fmt::format("cannot listen on {}:{}: is the port taken? port 0 finds a free one",
                            in_url(host), port));
  return bound;
}

}  // namespace podium
