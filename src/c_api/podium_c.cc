// The C interface over load_model and score. Every entry point runs inside guarded(), which turns
// exceptions into a status and the thread's last error.
#include "podium/podium_c.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include <fmt/format.h>

#include "core/vector_target.h"
#include "podium/compiled_model.h"
#include "podium/error.h"
#include "podium/option_text.h"
#include "podium/version.h"

struct podium_model {
  podium::CompiledModel compiled;
};

namespace podium {
namespace {

// Thread-local, like errno: the message for a C caller after a failed call.
std::string& last_error() noexcept {
  thread_local std::string message;
  return message;
}

podium_status remember(podium_status status, const char* message) noexcept {
  try {
    last_error() = spell_options(message, bare_option);
  } catch (const std::bad_alloc&) {
    last_error().clear();
  }
  return status;
}

podium_status status_of(const Error& error) noexcept {
  switch (error.code()) {
    case ErrorCode::usage:
      return PODIUM_WRONG_ARGUMENT;
    case ErrorCode::file:
      return PODIUM_FILE_ERROR;
    case ErrorCode::data:
    case ErrorCode::training:
    case ErrorCode::group:
    case ErrorCode::device:
      return PODIUM_WRONG_DATA;
  }
  return PODIUM_INTERNAL_ERROR;
}

template <class Body>
podium_status guarded(Body&& body) noexcept {
  try {
    body();
    return PODIUM_OK;
  } catch (const Error& error) {
    return remember(status_of(error), error.what());
  } catch (const std::bad_alloc&) {
    return remember(PODIUM_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return remember(PODIUM_INTERNAL_ERROR, error.what());
  }
}

void require(const void* pointer, const char* name) {
  if (!pointer) throw Error(ErrorCode::usage, fmt::format("{} is null", name));
}

// A view of the caller's array, which must stay alive during the call.
template <class T>
Buffer<T> borrowed(const T* data, std::size_t size) {
  return Buffer<T>(std::span<const T>(data, size), nullptr);
}

void require_no_infinity(std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isinf(values[i]))
      throw Error(ErrorCode::data, fmt::format("values[{}] is infinite", i));
}

// One query of `documents` documents, still without features.
DatasetParts one_query(const SavedModel& saved, std::size_t documents) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, documents};
  parts.labels = std::vector<float>(documents);
  parts.qids = make_strings(std::vector<std::string>{"1"});
  parts.features = saved.features.size();
  parts.feature_names = saved.features;
  parts.schema = saved.schema;
  return parts;
}

void score_into(const CompiledModel& model, DatasetParts parts, double* scores) {
  const std::vector<double> found = model.score(Dataset(std::move(parts)));
  std::copy(found.begin(), found.end(), scores);
}

void check_sparse(const uint64_t* row_begin, const uint32_t* columns, std::size_t documents,
                  std::size_t features) {
  if (row_begin[0] != 0) throw Error(ErrorCode::usage, "row_begin[0] is not 0");
  for (std::size_t i = 0; i < documents; ++i) {
    if (row_begin[i + 1] < row_begin[i])
      throw Error(ErrorCode::usage, fmt::format("row_begin decreases at {}", i + 1));
    for (uint64_t k = row_begin[i]; k < row_begin[i + 1]; ++k) {
      if (columns[k] >= features)
        throw Error(ErrorCode::usage,
                    fmt::format("columns[{}] is {}, but the model has {} features", k, columns[k],
                                features));
      if (k > row_begin[i] && columns[k] <= columns[k - 1])
        throw Error(ErrorCode::usage,
                    fmt::format("columns are not in ascending order in row {}", i));
    }
  }
}

podium_status load(podium_model** model, auto&& read) noexcept {
  return guarded([&] {
    require(model, "model");
    *model = nullptr;
    vector_target();  // reports errors in PODIUM_SIMD first
    *model = new podium_model{CompiledModel(read())};
  });
}

}  // namespace
}  // namespace podium

using podium::guarded;

const char* podium_version(void) {
  return PODIUM_VERSION;
}

const char* podium_last_error(void) {
  return podium::last_error().c_str();
}

podium_status podium_model_load(const char* path, podium_model** model) {
  return podium::load(model, [&] {
    podium::require(path, "path");
    return podium::load_model(path);
  });
}

podium_status podium_model_load_memory(const char* json, size_t bytes, podium_model** model) {
  return podium::load(model, [&] {
    podium::require(json, "json");
    return podium::model_from_json({json, bytes}, "model");
  });
}

void podium_model_free(podium_model* model) {
  delete model;
}

size_t podium_model_features(const podium_model* model) {
  return model ? model->compiled.saved().features.size() : 0;
}

const char* podium_model_feature_name(const podium_model* model, size_t index) {
  return index < podium_model_features(model) ? model->compiled.saved().features[index].c_str()
                                              : nullptr;
}

int podium_model_is_category(const podium_model* model, size_t index) {
  return model && model->compiled.saved().schema.values(index) ? 1 : 0;
}

float podium_model_category_code(const podium_model* model, size_t index, const char* value) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  const podium::Strings* const values =
      model && value ? model->compiled.saved().schema.values(index) : nullptr;
  const auto code = values ? podium::find_category(*values, value) : std::nullopt;
  return code ? static_cast<float>(*code) : kUnknown;
}

podium_status podium_score_dense(const podium_model* model, const float* values, size_t documents,
                                 size_t features, double* scores) {
  return guarded([&] {
    podium::require(model, "model");
    if (features != podium_model_features(model))
      throw podium::Error(podium::ErrorCode::usage,
                          fmt::format("rows have {} features, but the model has {}", features,
                                      podium_model_features(model)));
    if (documents == 0) return;
    podium::require(values, "values");
    podium::require(scores, "scores");
    if (documents > SIZE_MAX / sizeof(float) / features)
      throw podium::Error(podium::ErrorCode::usage, "documents is too large");
    podium::require_no_infinity({values, documents * features});
    podium::DatasetParts parts = podium::one_query(model->compiled.saved(), documents);
    parts.dense = podium::borrowed(values, documents * features);
    podium::score_into(model->compiled, std::move(parts), scores);
  });
}

podium_status podium_score_sparse(const podium_model* model, const uint64_t* row_begin,
                                  const uint32_t* columns, const float* values, size_t documents,
                                  float absent, double* scores) {
  return guarded([&] {
    podium::require(model, "model");
    if (documents == 0) return;
    podium::require(row_begin, "row_begin");
    podium::require(scores, "scores");
    if (documents > SIZE_MAX / sizeof(uint64_t) - 1)
      throw podium::Error(podium::ErrorCode::usage, "documents is too large");
    if (row_begin[documents] > 0) {
      podium::require(columns, "columns");
      podium::require(values, "values");
    }
    if (absent != 0 && !std::isnan(absent))
      throw podium::Error(podium::ErrorCode::usage, "absent is neither 0 nor NaN");
    podium::check_sparse(row_begin, columns, documents, podium_model_features(model));
    podium::require_no_infinity({values, row_begin[documents]});
    podium::DatasetParts parts = podium::one_query(model->compiled.saved(), documents);
    parts.row_begin = podium::borrowed(row_begin, documents + 1);
    parts.columns = podium::borrowed(columns, row_begin[documents]);
    parts.values = podium::borrowed(values, row_begin[documents]);
    parts.absent = absent;
    podium::score_into(model->compiled, std::move(parts), scores);
  });
}
