#include "server/body_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "server/json_cursor.h"
#include "server/refusal.h"

namespace podium {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Without parameters and in lower case: "text/plain" of "Text/plain; charset=utf-8".
std::string media_type(const std::string& header) {
  std::string type = header.substr(0, header.find(';'));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return lower_case(type);
}

std::uint64_t content_length(const httplib::Request& request) {
  const std::string text = request.get_header_value("Content-Length");
  std::uint64_t length = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, length);
  if (error == std::errc::result_out_of_range) return UINT64_MAX;
  if (error != std::errc() || stop != end)
    throw Refusal(400, "Content-Length is not a number", Refusal::Body::unread);
  return length;
}

Refusal too_large(std::int64_t limit) {
  return {413,
          fmt::format("the body is larger than {} bytes: send fewer documents per request", limit),
          Refusal::Body::unread};
}

// Checks what is known of the length before the body is read.
void check_length(const httplib::Request& request, std::int64_t limit) {
  if (const std::string encoding = lower_case(request.get_header_value("Content-Encoding"));
      !encoding.empty() && encoding != "identity")
    throw Refusal(415, fmt::format("Content-Encoding '{}': send the body uncompressed", encoding),
                  Refusal::Body::unread);
  // Two lengths, or a length and chunks: a proxy in front may use the other one (RFC 9112, 6.3).
  const bool has_length = request.has_header("Content-Length");
  const bool has_encoding = request.has_header("Transfer-Encoding");
  if (request.get_header_value_count("Content-Length") +
          request.get_header_value_count("Transfer-Encoding") >
      1)
    throw Refusal(400, "send one Content-Length, or the body in chunks", Refusal::Body::unread);
  if (const std::string encoding = request.get_header_value("Transfer-Encoding");
      has_encoding && lower_case(encoding) != "chunked")
    throw Refusal(501, fmt::format("Transfer-Encoding '{}': only chunked is supported", encoding),
                  Refusal::Body::unread);
  if (!has_length && !has_encoding)
    throw Refusal(411, "send Content-Length, or the body in chunks", Refusal::Body::unread);
  if (has_length && content_length(request) > static_cast<std::uint64_t>(limit))
    throw too_large(limit);
}

// For a body that was not read to its end.
Refusal broken_off(const Connection& connection, const HttpLimits& limits) {
  switch (connection.failure()) {
    case Connection::Failure::too_large:
      return too_large(limits.body_bytes);
    case Connection::Failure::late:
      return {408,
              fmt::format("the whole body must arrive within {} seconds",
                          static_cast<double>(limits.connection.request.count()) / 1000),
              Refusal::Body::unread};
    case Connection::Failure::bad_chunks:
      return {400, "the body's chunks are malformed", Refusal::Body::unread};
    default:
      return {400, "the body is incomplete", Refusal::Body::unread};
  }
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
                      Connection& connection, const HttpLimits& limits) {
  check_length(request, limits.body_bytes);
  const auto max_bytes = static_cast<std::size_t>(limits.body_bytes);
  std::string body;
  if (!request.has_header("Content-Length")) {
    if (!connection.read_chunks(max_bytes, body)) throw broken_off(connection, limits);
    return body;
  }
  body.reserve(content_length(request) + JsonCursor::kPadding);
  bool fits = true;
  const bool whole = reader([&](const char* bytes, std::size_t count) {
    fits = body.size() + count <= max_bytes;
    if (fits) body.append(bytes, count);
    return fits;
  });
  if (!fits) throw too_large(limits.body_bytes);
  if (!whole) throw broken_off(connection, limits);
  return body;
}

}  // namespace podium
