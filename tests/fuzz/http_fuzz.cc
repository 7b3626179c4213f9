// Bodies of requests to `podium serve`: any bytes give either an answer that is JSON, or an Error.
// What is accepted as JSON is also JSON for another parser, with the same numbers. Also the scanner
// of heads and the decoder of chunks: they do not depend on how bytes are split, and a body that
// the decoder accepts is one by the grammar. The first byte chooses the format, the model and the
// parameters.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/explain.h"
#include "server/answers.h"
#include "server/chunk_decoder.h"
#include "server/head_scanner.h"
#include "server/model_files.h"
#include "server/scoring_request.h"

namespace {

using podium::JsonDocuments;
using Json = nlohmann::json;

void require(bool holds) {
  if (!holds) std::abort();
}

// Null and strings are missing until a model knows categories; true and false are 1 and 0. Of a
// number, the nearest float or an adjacent one: the other parser rounds to double first.
void require_same(const Json& written, float value) {
  if (written.is_null() || written.is_string()) {
    require(std::isnan(value));
    return;
  }
  if (written.is_boolean()) {
    require(value == (written.get<bool>() ? 1.0F : 0.0F));
    return;
  }
  require(written.is_number());
  const auto expected = static_cast<float>(written.get<double>());
  const float infinity = std::numeric_limits<float>::infinity();
  require(value == expected || std::nextafter(expected, infinity) == value ||
          std::nextafter(expected, -infinity) == value);
}

void require_same_documents(const std::string& body, const podium::ScoringRequest& request) {
  const Json other = Json::parse(body, nullptr, false);
  require(!other.is_discarded());
  const auto& documents = std::get<JsonDocuments>(request.documents);
  require(other["documents"].size() == documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Json& document = other["documents"][i];
    const Json& features = document.is_array() ? document : document["features"];
    const std::size_t begin = documents.row_begin[i], end = documents.row_begin[i + 1];
    require(features.size() == end - begin);
    for (std::size_t k = begin; k < end; ++k)
      require_same(features.is_array() ? features[k - begin]
                                       : features[documents.names[documents.columns[k]]],
                   documents.values[k]);
  }
}

void require_json(const std::string& answer) {
  require(Json::accept(answer));
}

void answer_all(const podium::CompiledModel& model, const podium::ScoringRequest& request) {
  const podium::Dataset documents = documents_for(model.saved(), request);
  require(documents.documents() == request.size());
  require(documents.features() == model.saved().features.size());
  const std::vector<double> scores = model.score(documents);
  require(scores.size() == request.size());
  require_json(podium::score_answer("m", scores));
  require_json(podium::rank_answer("m", request, scores));
  static podium::ThreadPool pool(1);
  static const auto comm = podium::make_local_communicator();
  podium::Observer silent;
  podium::Context context{1, pool, *comm, silent};
  const auto why = podium::explain(model.saved(), documents, context);
  require_json(podium::explain_answer("m", model.saved(), request, documents, why));
}

void require_same_head_in_pieces(std::string_view bytes) {
  podium::HeadScanner whole, pieces;
  const auto state = whole.feed(bytes);
  const std::size_t cut = bytes.size() / 3;
  pieces.feed(bytes.substr(0, cut));
  pieces.feed(bytes.substr(cut, 1));
  require(pieces.feed(bytes.substr(std::min(cut + 1, bytes.size()))) == state);
}

// RFC 9112, 7.1, parsed line by line from the complete bytes.
void require_chunks(std::string_view bytes, std::string_view body) {
  const auto line = [&] {
    const std::size_t end = bytes.find("\r\n");
    require(end != bytes.npos);
    const std::string_view text = bytes.substr(0, end);
    require(text.find_first_of(std::string_view("\0\r\n", 3)) == text.npos);
    bytes.remove_prefix(end + 2);
    return text;
  };
  for (;;) {
    const std::string_view head = line();
    const std::size_t digits =
        std::min(head.find_first_not_of("0123456789abcdefABCDEF"), head.size());
    const std::string_view rest = head.substr(digits);
    require(digits > 0 && (rest.empty() || rest[rest.find_first_not_of(" \t")] == ';'));
    const std::size_t size = std::stoul(std::string(head.substr(0, digits)), nullptr, 16);
    if (size == 0) break;
    require(bytes.size() >= size + 2 && bytes.substr(size, 2) == "\r\n");
    require(body.substr(0, size) == bytes.substr(0, size));
    body.remove_prefix(size);
    bytes.remove_prefix(size + 2);
  }
  for (std::string_view field = line(); !field.empty(); field = line())
    require(field.find(':') != field.npos && field.find(':') > 0 &&
            field.find_first_of(" \t") > field.find(':'));
  require(body.empty() && bytes.empty());
}

void require_same_chunks_in_pieces(std::string_view bytes) {
  podium::ChunkDecoder whole(100), pieces(100);
  std::string body, same_body;
  const std::size_t used = whole.feed(bytes, body);
  const std::size_t cut = bytes.size() / 3;
  std::size_t same_used = pieces.feed(bytes.substr(0, cut), same_body);
  same_used += pieces.feed(bytes.substr(cut, 1), same_body);
  same_used += pieces.feed(bytes.substr(std::min(cut + 1, bytes.size())), same_body);
  require(same_used == used && same_body == body && pieces.state() == whole.state());
  require(body.size() <= 100);
  if (whole.state() == podium::ChunkDecoder::State::complete)
    require_chunks(bytes.substr(0, used), body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const podium::CompiledModel linear(podium::testing::linear_model()),
      scaled(podium::testing::scaled_model()), forest(podium::testing::stump());
  if (size == 0) return 0;
  const unsigned choice = bytes[0];
  const std::string body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  require_same_head_in_pieces(body);
  require_same_chunks_in_pieces(body);
  podium::RequestParameters parameters;
  if (choice & 2) parameters.emplace("absent", "missing");
  if (choice & 4) parameters.emplace("limit", body.substr(0, 1));
  podium::RequestLimits limits;
  limits.documents = 50;
  limits.features = 200;
  try {
    const bool is_json = (choice & 1) == 0;
    const auto request = is_json ? parse_json_request(body, parameters, limits)
                                 : parse_letor_request(body, parameters, limits, choice >> 7);
    require(request.size() > 0 && request.size() <= limits.documents);
    if (is_json) require_same_documents(body, request);
    answer_all(choice & 8 ? linear : choice & 16 ? scaled : forest, request);
  } catch (const podium::Error& error) {
    require_json(podium::error_answer(error.what()));
  }
  return 0;
}
