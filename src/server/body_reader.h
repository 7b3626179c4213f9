// The complete body of a POST, and its format.
#pragma once

#include <string>

#include <httplib.h>

#include "server/http_server.h"

namespace podium {

enum class BodyFormat { json, letor };

// By the Content-Type: application/json, or text/plain for LETOR lines. Throws a Refusal (415).
BodyFormat body_format(const httplib::Request& request);

// Throws a Refusal if it is too large (413), has no length (411), is compressed (415, or 501 as a
// Transfer-Encoding), has malformed chunks (400), or does not arrive in time (408).
std::string read_body(const httplib::Request& request, const httplib::ContentReader& reader,
                      Connection& connection, const HttpLimits& limits);

}  // namespace podium
