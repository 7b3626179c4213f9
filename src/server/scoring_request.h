// A client's request, parsed from its body: pure functions of bytes, so that tests and fuzzers can
// call them as the server does.
//
// JSON: {"documents": [...], "model": "name", "absent": "zero" | "missing", "limit": 10, "top": 5,
//        "session": "s1", "query": "q7"}
//   A document is {"features": F, "id": "a" | 7} or F itself; F is {"name": 0.5, "other": null} or
//   [0.5, null, …] in the order of the model's features. null is a missing value; a feature that is
//   not named is 0, or missing with "absent": "missing". An unknown key is an error.
// LETOR lines: the documents of one query, with or without `qid:`; ids from the comments. The rest
//   comes from the URL's parameters.
//
// All documents of a request are one query.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "podium/data_io.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

// Documents from JSON: a row's entries are columns[k], values[k] for k in row_begin[i] …
// row_begin[i + 1] − 1.
struct JsonDocuments {
  enum class Shape : std::uint8_t { unknown, arrays, objects } shape = Shape::unknown;
  std::vector<std::string> names;  // of the columns; empty for arrays
  std::vector<std::size_t> row_begin = {0};
  std::vector<std::uint32_t> columns;  // empty for arrays
  std::vector<float> values;
  // What a category may be: a string, true or false, or a number as written where a float may not
  // hold all of it.
  struct Text {
    std::size_t place;  // in values; those of strings are NaN
    std::string text;
    bool is_string;
  };
  std::vector<Text> texts = {};  // by place

  std::size_t size() const noexcept { return row_begin.size() - 1; }
};

struct ScoringRequest {
  std::string model;                      // "": the server's first
  std::string session, query;             // of an interleaved list
  std::optional<std::size_t> limit, top;  // documents to return; features to explain per document
  float absent = 0;                       // or NaN
  std::vector<std::string> ids;           // one per document, "" if it has none; or empty
  std::variant<JsonDocuments, Dataset> documents;

  std::size_t size() const;
};

struct RequestLimits {
  std::size_t documents = 10'000;
  std::int64_t features = ReadOptions().max_features;  // LETOR: the largest feature number
};

// "absent", "limit", "model", "query", "session", "top", each once; the body takes precedence.
using RequestParameters = std::multimap<std::string, std::string>;

ScoringRequest parse_json_request(std::string body, const RequestParameters& parameters,
                                  const RequestLimits& limits);
// `first_feature`: the lowest feature number allowed, 0 or 1; that of the model.
ScoringRequest parse_letor_request(std::string_view body, const RequestParameters& parameters,
                                   const RequestLimits& limits, std::int64_t first_feature);
// 0 for a model with a feature called 0, else 1.
std::int64_t first_feature(const SavedModel& model);
// The model named in the URL; "" if there is none.
std::string model_parameter(const RequestParameters& parameters);

// The documents with the model's features, in its order, as one query. Throws an Error that names a
// feature that the model lacks, or a document of the wrong length.
Dataset documents_for(const SavedModel& model, const ScoringRequest& request);

}  // namespace podium
