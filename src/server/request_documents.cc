// The documents of a request as the model's inputs, and LETOR lines as a request.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/text_source.h"
#include "data/letor_reader.h"
#include "podium/error.h"
#include "podium/options.h"
#include "server/request_parameters.h"
#include "server/scoring_request.h"

namespace podium {
namespace {

constexpr char kBody[] = "body";

std::size_t count_rows(std::string_view text) {
  std::size_t rows = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::size_t first = text.substr(0, end).find_first_not_of(" \t\r\v\f");
    rows += first != text.npos && text[first] != '#';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rows;
}

Dataset one_query(std::vector<float> dense, std::size_t documents, const SavedModel& model) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, documents};
  parts.labels = std::vector<float>(documents);
  parts.qids = make_strings(std::vector<std::string>{"1"});
  parts.features = model.features.size();
  parts.feature_names = model.features;
  parts.dense = std::move(dense);
  return Dataset(std::move(parts));
}

// Where each column of the request is among the model's features.
std::vector<std::size_t> find_columns(const JsonDocuments& documents, const SavedModel& model) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t f = 0; f < model.features.size(); ++f) places.emplace(model.features[f], f);
  std::vector<std::size_t> out;
  for (const std::string& name : documents.names) {
    const auto found = places.find(name);
    if (found == places.end())
      throw Error(ErrorCode::data, fmt::format("the model has no feature \"{}\"{}", name,
                                               suggestion(name, model.features)));
    out.push_back(found->second);
  }
  return out;
}

Dataset from_json(const JsonDocuments& documents, float absent, const SavedModel& model) {
  const std::size_t width = model.features.size();
  const bool are_arrays = documents.shape == JsonDocuments::Shape::arrays;
  for (std::size_t i = 0; are_arrays && i < documents.size(); ++i)
    if (const std::size_t given = documents.row_begin[i + 1] - documents.row_begin[i];
        given != width)
      throw Error(ErrorCode::data, fmt::format("document {}: {} numbers, but the model has {} "
                                               "features",
                                               i + 1, given, width));
  if (are_arrays) return one_query(documents.values, documents.size(), model);
  const std::vector<std::size_t> places = find_columns(documents, model);
  std::vector<float> dense(documents.size() * width, absent);
  for (std::size_t i = 0; i < documents.size(); ++i)
    for (std::size_t k = documents.row_begin[i]; k < documents.row_begin[i + 1]; ++k)
      dense[i * width + places[documents.columns[k]]] = documents.values[k];
  return one_query(std::move(dense), documents.size(), model);
}

// A silent place to compute in.
struct Workplace {
  ThreadPool pool{1};
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Observer silent;
  Context context{1, pool, *comm, silent};
};

Dataset read_lines(std::string_view body, std::size_t rows, const ReadOptions& options) {
  Surroundings around;
  around.file = kBody;
  around.query_sizes = {{rows}};
  Workplace place;
  const auto source = text_in_memory(body, {});
  try {
    return read_letor(*source, options, std::move(around), place.context);
  } catch (const Error& error) {
    // The reader advises those who have a command line.
    if (error.message().starts_with("feature 0: "))
      throw Error(ErrorCode::data, "feature 0: the model's features are counted from 1",
                  error.where());
    throw;
  }
}

}  // namespace

std::int64_t first_feature(const SavedModel& model) {
  return std::find(model.features.begin(), model.features.end(), "0") == model.features.end() ? 1
                                                                                              : 0;
}

ScoringRequest parse_letor_request(std::string_view body, const RequestParameters& parameters,
                                   const RequestLimits& limits, std::int64_t first_feature) {
  ScoringRequest request = with_parameters(parameters);
  const std::size_t rows = count_rows(body);
  if (rows == 0) throw Error(ErrorCode::data, "no documents: one LETOR line each");
  if (rows > limits.documents)
    throw Error(ErrorCode::data,
                fmt::format("more than {} documents: send several requests", limits.documents));
  ReadOptions options;
  options.absent = request.absent == 0 ? "zero" : "missing";
  options.max_features = limits.features;
  options.first_feature = first_feature;
  Dataset data = read_lines(body, rows, options);
  if (data.queries() > 1)
    throw Error(ErrorCode::data,
                fmt::format("a request is one query, but lines have qid {} and qid {}", data.qid(0),
                            data.qid(1)));
  if (!data.document_weights(0).empty())
    throw Error(ErrorCode::data, "a line begins with a label, such as 0, and has no weight");
  for (std::size_t i = 0; data.has_docids() && i < data.documents(); ++i)
    request.ids.emplace_back(data.docid(i));
  request.documents = std::move(data);
  return request;
}

Dataset documents_for(const SavedModel& model, const ScoringRequest& request) {
  if (const auto* json = std::get_if<JsonDocuments>(&request.documents))
    return from_json(*json, request.absent, model);
  Transform selection;
  selection.features = model.features;
  Workplace place;
  return apply(selection, std::get<Dataset>(request.documents), place.context);
}

}  // namespace podium
