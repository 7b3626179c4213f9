// Addresses to listen on: which are local only, and how they are written in a URL.
#pragma once

#include <string>

#include <httplib.h>

namespace podium {

// "http://127.0.0.1:8080/", "http://[::1]:8080/"
std::string url_of(const std::string& host, int port);

// Whether only this machine can reach the address.
bool is_loopback(const std::string& host);

// Whether a server that listens on `host` may answer a request. On a loopback address only requests
// addressed to this machine are answered: a web page elsewhere cannot read answers by resolving its
// own name to this address.
bool is_addressed_here(const httplib::Request& request, const std::string& host);

// Binds the server and returns the port; 0 requests any free one. Throws an Error if the address is
// not available, also if another server already uses it.
int bind_server(httplib::Server& server, const std::string& host, int port);

}  // namespace podium
