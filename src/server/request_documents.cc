// Converts the documents of a request to the model's inputs, and LETOR lines to a request.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/counted.h"
#include "core/text_source.h"
#include "data/formats/letor_reader.h"
#include "podium/error.h"
#include "podium/options.h"
#include "server/request_parameters.h"
#include "server/scoring_request.h"

namespace podium {
namespace {

constexpr char kBody[] = "body";
constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();

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
  parts.schema = model.schema;
  parts.dense = std::move(dense);
  return Dataset(std::move(parts));
}

// The index of each of the request's features in the model; kNoFeature if there is none. The table
// is built from the request's names, which are few.
std::vector<std::size_t> find_places(const std::vector<std::string>& names,
                                     const SavedModel& model) {
  std::unordered_map<std::string_view, std::size_t> columns;
  for (std::size_t c = 0; c < names.size(); ++c) columns.emplace(names[c], c);
  std::vector<std::size_t> places(names.size(), kNoFeature);
  for (std::size_t f = 0; f < model.features.size(); ++f)
    if (const auto found = columns.find(model.features[f]); found != columns.end())
      places[found->second] = f;
  return places;
}

// The model's code of a value that is written as a number; NaN if it has none.
float code_of_number(const Strings& values, float x) {
  const auto code =
      std::isnan(x) ? std::nullopt : find_category(values, fmt::format("{}", x + 0.0F));
  return code ? static_cast<float>(*code) : kMissingValue;
}

// The values of a request's documents as the model's inputs, given the place of each column.
std::vector<float> values_for(const JsonDocuments& documents, const SavedModel& model,
                              const std::function<std::size_t(std::size_t place)>& feature_of) {
  std::vector<float> values = documents.values;
  if (!model.schema.all_numbers())
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const Strings* const known = model.schema.values(feature_of(k)))
        values[k] = code_of_number(*known, values[k]);
  for (const auto& [place, text, is_string] : documents.texts) {
    const std::size_t feature = feature_of(place);
    const Strings* const known = model.schema.values(feature);
    if (!known && !is_string) continue;
    if (!known)
      throw Error(ErrorCode::data,
                  fmt::format("feature \"{}\" is a number, not a text such as \"{}\"",
                              model.features[feature], text.substr(0, 40)));
    auto code = find_category(*known, text);
    if (!code && !is_string && (text == "true" || text == "false")) {
      code = find_category(*known, text == "true" ? "True" : "False");  // as pandas writes it
      if (!code) continue;                                              // 1 or 0, as a number
    }
    values[place] = code ? static_cast<float>(*code) : kMissingValue;
  }
  return values;
}

// What a category is where a document does not name it.
void set_absent(std::vector<float>& dense, float absent, const SavedModel& model) {
  std::fill(dense.begin(), dense.end(), absent);
  for (const auto& category : model.schema.categories()) {
    const float code = code_of_number(category.values, absent);
    for (std::size_t i = category.feature; i < dense.size(); i += model.features.size())
      dense[i] = code;
  }
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
  if (are_arrays)
    return one_query(values_for(documents, model, [&](std::size_t k) { return k % width; }),
                     documents.size(), model);
  const std::vector<std::size_t> places = find_places(documents.names, model);
  for (std::size_t c = 0; c < places.size(); ++c)
    if (places[c] == kNoFeature)
      throw Error(ErrorCode::data,
                  fmt::format("the model has no feature \"{}\"{}", documents.names[c],
                              suggestion(documents.names[c], model.features)));
  const std::vector<float> values =
      values_for(documents, model, [&](std::size_t k) { return places[documents.columns[k]]; });
  std::vector<float> dense(documents.size() * width);
  set_absent(dense, absent, model);
  for (std::size_t i = 0; i < documents.size(); ++i)
    for (std::size_t k = documents.row_begin[i]; k < documents.row_begin[i + 1]; ++k)
      dense[i * width + places[documents.columns[k]]] = values[k];
  return one_query(std::move(dense), documents.size(), model);
}

// A context without output.
struct Workplace {
  ThreadPool pool{1};
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Observer silent;
  Context context{1, pool, *comm, silent};
};

Dataset read_lines(std::string_view body, std::size_t rows, const ReadOptions& options) {
  RowContext around;
  around.file = kBody;
  around.query_sizes = {{rows}};
  around.columns = Columns::mentioned;
  Workplace place;
  const auto source = text_in_memory(body, {});
  try {
    return read_letor(*source, options, std::move(around), place.context);
  } catch (const Error& error) {
    // The reader's advice is for the command line.
    if (error.message().starts_with("feature 0: "))
      throw Error(ErrorCode::data, "feature 0: the model's features are counted from 1",
                  error.where());
    throw;
  }
}

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == name.npos;
}

// The values of all lines, with the model's features as columns.
struct Entries {
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  std::vector<std::uint64_t> row_begin = {0};
};

Entries entries_of(const Rows& rows, const std::vector<std::size_t>& places) {
  Entries out;
  std::vector<std::pair<std::size_t, float>> row;
  for (std::size_t r = 0; r < rows.documents(); ++r) {
    row.clear();
    const auto add = [&](std::size_t column, float value) {
      if (places[column] != kNoFeature) row.emplace_back(places[column], value);
    };
    if (rows.is_dense()) {
      const auto values = rows.dense(r);
      for (std::size_t c = 0; c < values.size(); ++c) add(c, values[c]);
    } else {
      const auto [columns, values] = rows.sparse(r);
      for (std::size_t i = 0; i < columns.size(); ++i) add(columns[i], values[i]);
    }
    std::sort(row.begin(), row.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) {
      out.columns.push_back(static_cast<std::uint32_t>(column));
      out.values.push_back(value);
    }
    out.row_begin.push_back(out.values.size());
  }
  return out;
}

// A feature number that no line mentions is absent from all of them.
Dataset from_lines(const Dataset& lines, float absent, const SavedModel& model) {
  for (const std::string& name : model.features)
    if (!is_number(name))
      throw Error(ErrorCode::data,
                  fmt::format("no feature '{}': the features of LETOR lines are numbered", name));
  const std::size_t documents = lines.documents(), width = model.features.size();
  Entries entries = entries_of(lines.rows(0, documents), find_places(lines.feature_names(), model));
  for (std::size_t i = 0; i < entries.values.size() && !model.schema.all_numbers(); ++i)
    if (const Strings* const known = model.schema.values(entries.columns[i]))
      entries.values[i] = code_of_number(*known, entries.values[i]);
  if (lines.is_dense() || !model.schema.all_numbers() ||
      !sparse_is_better(entries.values.size(), documents, width)) {
    std::vector<float> dense(documents * width);
    set_absent(dense, absent, model);
    for (std::size_t row = 0; row < documents; ++row)
      for (std::size_t i = entries.row_begin[row]; i < entries.row_begin[row + 1]; ++i)
        dense[row * width + entries.columns[i]] = entries.values[i];
    return one_query(std::move(dense), documents, model);
  }
  DatasetParts parts = lines.parts();
  parts.features = width;
  parts.feature_names = model.features;
  parts.row_begin = std::move(entries.row_begin);
  parts.columns = std::move(entries.columns);
  parts.values = std::move(entries.values);
  return Dataset(std::move(parts));
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
    throw Error(ErrorCode::data, fmt::format("more than {}: send several requests",
                                             counted(limits.documents, "document")));
  ReadOptions options;
  options.absent = request.absent == 0 ? AbsentFeatures::zero : AbsentFeatures::missing;
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
  return from_lines(std::get<Dataset>(request.documents), request.absent, model);
}

}  // namespace podium
