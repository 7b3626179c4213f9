#include "server/body_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "server/json_cursor.h"
#include "server/refusal.h"

namespace podium {
namespace {

// Without parameters and in lower case: "text/plain" of "Text/plain; charset=utf-8".
std::string media_type(const std::string& header) {
  std::string type = header.substr(0, header.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

std::uint64_t content_length(const httplib::Request& request) {
  const std::string text = request.get_header_value("Content-Length");
  std::uint64_t length = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, length);
  if (error == std::errc::result_out_of_range) return UINT64_MAX;
  if (error != std::errc() || stop != end)
    throw Refusal(400, "Content-Length is no number", Refusal::Body::unread);
  return length;
}

Refusal too_large(std::int64_t limit) {
  return {413,
          fmt::format("the body is larger than {} bytes: send fewer documents a request", limit),
          Refusal::Body::unread};
}

}  // namespace

BodyFormat body_format(const httplib::Request& request) {
  const std::string type = media_type(request.get_header_value("Content-Type"));
  if (type == "application/json") return BodyFormat::json;
  if (type == "text/plain") return BodyFormat::letor;
  throw Refusal(
      415,
      fmt::format("Content-Type '{}': send application/json, or LETOR lines as text/plain", type),
      Refusal::Body::unread);
}

std::string read_body(const httplib::Request& request, const httplib::ContentReader& reader,
                      const HttpLimits& limits) {
  const auto max_bytes = static_cast<std::size_t>(limits.body_bytes);
  if (const std::string encoding = request.get_header_value("Content-Encoding");
      !encoding.empty() && encoding != "identity")
    throw Refusal(415, fmt::format("Content-Encoding '{}': send the body as it is", encoding),
                  Refusal::Body::unread);
  // Two lengths, or a length and chunks: a proxy in front may take the other one (RFC 9112, 6.3).
  if (request.get_header_value_count("Content-Length") +
          request.get_header_value_count("Transfer-Encoding") >
      1)
    throw Refusal(400, "send one Content-Length, or the body in chunks", Refusal::Body::unread);
  std::string body;
  if (request.has_header("Content-Length")) {
    const std::uint64_t length = content_length(request);
    if (length > max_bytes) throw too_large(limits.body_bytes);
    body.reserve(length + JsonCursor::kPadding);
  } else if (!request.has_header("Transfer-Encoding")) {
    throw Refusal(411, "send Content-Length, or the body in chunks", Refusal::Body::unread);
  }
  bool fits = true;
  const bool whole = reader([&](const char* bytes, std::size_t count) {
    fits = body.size() + count <= max_bytes;
    if (fits) body.append(bytes, count);
    return fits;
  });
  if (!fits) throw too_large(limits.body_bytes);
  if (!whole)
    throw Refusal(408,
                  fmt::format("the body has to arrive whole, within {} seconds",
                              limits.connection.request.count() / 1000.0),
                  Refusal::Body::unread);
  return body;
}

}  // namespace podium
