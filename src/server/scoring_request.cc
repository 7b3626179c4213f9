#include "server/scoring_request.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/options.h"
#include "server/document_reader.h"
#include "server/json_cursor.h"
#include "server/request_parameters.h"
#include "server/utf8.h"

namespace podium {
namespace {

// Reads one member of the request's object; duplicates are errors.
void read_member(JsonCursor& cursor, DocumentReader& documents, ScoringRequest& request,
                 unsigned& seen) {
  static const std::array<std::string, 7> keys = {"absent", "documents", "limit", "model",
                                                  "query",  "session",   "top"};
  const std::string key(cursor.key());
  const auto which = std::find(keys.begin(), keys.end(), key) - keys.begin();
  if (which == std::ssize(keys))
    cursor.fail(fmt::format("unknown key \"{}\"{}", key, suggestion(key, keys)));
  if (seen >> which & 1) cursor.fail(fmt::format("\"{}\" is given twice", key));
  seen |= 1U << which;
  switch (which) {
    case 0:
      request.absent = parse_absent(cursor.string());
      break;
    case 1:
      documents.read();
      break;
    case 2:
      request.limit = cursor.count();
      break;
    case 3:
      request.model = cursor.string();
      break;
    case 4:
      request.query = cursor.string();
      break;
    case 5:
      request.session = cursor.string();
      break;
    default:
      request.top = cursor.count();
  }
}

}  // namespace

std::size_t ScoringRequest::size() const {
  const auto* json = std::get_if<JsonDocuments>(&documents);
  return json ? json->size() : std::get<Dataset>(documents).documents();
}

ScoringRequest parse_json_request(std::string body, const RequestParameters& parameters,
                                  const RequestLimits& limits) {
  ScoringRequest request = with_parameters(parameters);
  const std::size_t size = body.size();
  if (const std::size_t wrong = first_invalid_utf8(body); wrong != size)
    throw Error(ErrorCode::data, fmt::format("at byte {}: not UTF-8", wrong + 1));
  body.append(JsonCursor::kPadding, '\0');
  JsonCursor cursor({body.data(), size});
  DocumentReader documents(cursor, limits.documents);
  unsigned seen = 0;
  cursor.expect('{');
  for (std::size_t members = 0; cursor.next_item('}', members); ++members)
    read_member(cursor, documents, request, seen);
  cursor.expect_end();
  request.ids = documents.take_ids();
  request.documents = documents.take();
  if (request.size() == 0)
    throw Error(ErrorCode::data, R"(no documents: {"documents": [...]} with at least one)");
  return request;
}

}  // namespace podium
