// Models: files, scores, importance. A model is immutable and shared.
#include "podium/model.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "bindings.h"
#include "core/counted.h"
#include "core/overloaded.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/compiled_model.h"
#include "podium/error.h"

namespace podium::python {
namespace {

// Transforms process query by query, each in one thread; rows whose queries do not matter are
// divided into queries of this size.
constexpr std::size_t kRowsAQuery = 1024;

// Rows without labels, in arbitrary queries.
Dataset bare_rows(const Matrix& values, const std::vector<std::string>& names) {
  const std::size_t rows = values.shape(0);
  DatasetParts parts;
  std::vector<std::uint64_t> query_begin;
  for (std::size_t row = 0; row < rows; row += kRowsAQuery) query_begin.push_back(row);
  parts.qids = make_strings(std::vector<std::string>(query_begin.size()));
  query_begin.push_back(rows);
  parts.query_begin = std::move(query_begin);
  parts.features = values.shape(1);
  parts.feature_names = names;
  parts.dense = borrow<float>(values);
  // Scoring does not read labels, so any numbers will do: the matrix has at least as many as there
  // are rows.
  parts.labels = Buffer<float>(parts.dense.view(0, rows), std::make_shared<const Matrix>(values));
  return Dataset(std::move(parts));
}

// Without a branch per score, so that it is a small part of the time even for linear models.
bool all_finite(std::span<const double> scores) {
  std::uint64_t others = 0;
  for (const double x : scores)
    others |= static_cast<std::uint64_t>(!(std::fabs(x) <= std::numeric_limits<double>::max()));
  return others == 0;
}

std::vector<double> finite_or_error(std::vector<double> scores, const Dataset& data) {
  if (all_finite(scores)) return scores;
  const auto row =
      std::find_if_not(scores.begin(), scores.end(), [](double x) { return std::isfinite(x); });
  throw Error(
      ErrorCode::data,
      fmt::format(
          "X: row {} has the score {}: the model's weights times the feature values overflow",
          data.input_row(static_cast<std::size_t>(row - scores.begin())), *row));
}

// How a call scores: nothing of it changes a bit.
struct ScoringMeans {
  int threads;
  const std::string& device;
};

std::vector<double> finite_scores(const SavedModel& model, const Dataset& data,
                                  const ScoringMeans& means) {
  Frame frame(means.threads, 1, means.device);
  return finite_or_error(score(model, data, frame.context()), data);
}

void require_inputs(const SavedModel& model, const Matrix& values) {
  if (values.shape(1) != model.features.size())
    throw Error(ErrorCode::data,
                fmt::format("X has {}, but the model has {}", counted(values.shape(1), "feature"),
                            model.features.size()));
}

std::vector<double> score_matrix(const SavedModel& model, const Matrix& values,
                                 const ScoringMeans& means) {
  require_inputs(model, values);
  return finite_scores(model, bare_rows(values, model.features), means);
}

// In the calling thread.
std::vector<double> score_few(const CompiledModel& model, const Matrix& values) {
  require_inputs(model.saved(), values);
  const Dataset rows = bare_rows(values, model.saved().features);
  return finite_or_error(model.score(rows), rows);
}

// The processor time of the library alone, for benchmarks of the bindings.
double seconds_to_score(const SavedModel& model, const Dataset& data, int threads) {
  const std::clock_t began = std::clock();
  Frame frame(threads);
  const std::vector<double> scores = score(model, data, frame.context());
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

std::string kind(const SavedModel& model) {
  return std::string(kind_name(model.model));
}

nb::dict model_options(const SavedModel& model) {
  nb::dict out;
  for (const auto& [name, value] : model.options)
    out[name.c_str()] = std::visit([](const auto& x) { return nb::cast(x); }, value);
  return out;
}

std::map<std::string, std::vector<std::string>> model_categories(const SavedModel& model) {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& category : model.schema.categories()) {
    std::vector<std::string>& values = out[model.features[category.feature]];
    for (std::size_t i = 0; i < category.values.size(); ++i)
      values.emplace_back(category.values[i]);
  }
  return out;
}

nb::dict training(const SavedModel& model) {
  const SavedModel::Training& record = model.training;
  nb::dict out, validation;
  for (const auto& [name, value] : record.validation) validation[name.c_str()] = value;
  out["documents"] = record.documents;
  out["queries"] = record.queries;
  out["fingerprint"] = record.fingerprint;
  out["seed"] = record.seed;
  out["best_iteration"] = record.best_iteration;
  out["validation"] = validation;
  out["on_top_of_scores"] = record.on_top_of_scores;
  out["useless"] =
      record.useless.empty() ? nb::object(nb::none()) : nb::cast(in_python(record.useless));
  return out;
}

const Linear& linear(const SavedModel& model) {
  const auto other = nb::attribute_error("only linear models have weights");
  return std::visit(Overloaded{[](const Linear& linear) -> const Linear& { return linear; },
                               [&](const Forest&) -> const Linear& { throw other; },
                               [&](const Mlp&) -> const Linear& { throw other; },
                               [&](const Blend&) -> const Linear& { throw other; }},
                    model.model);
}

std::vector<std::uint32_t> leaves(const SavedModel& model, const Dataset& data, int threads) {
  const Forest& forest = require_forest(
      model.model,
      Error(ErrorCode::usage, fmt::format("only models with trees have leaves, and this one "
                                          "was trained by {}",
                                          model.learner)));
  Frame frame(threads);
  return leaf_indices(forest, prepare_inputs(model, data, frame.context()), frame.context().pool);
}

// One number per feature: binning turns a feature into several inputs, whose numbers are added.
std::vector<double> by_feature(const SavedModel& model, const std::vector<double>& by_input) {
  if (!model.normalization.multiplies()) return by_input;
  std::vector<double> out(model.features.size());
  std::size_t input = 0;
  for (std::size_t f = 0; f < out.size(); ++f)
    for (std::size_t i = 0; i < inputs_of(model, f); ++i) out[f] += by_input[input++];
  return out;
}

void bind_facts(nb::class_<SavedModel>& type) {
  type.def_ro("learner", &SavedModel::learner)
      .def_ro("loss", &SavedModel::loss)
      .def_ro("measure", &SavedModel::measure)
      .def_ro("features", &SavedModel::features)
      .def_ro("missing", &SavedModel::missing)
      .def_prop_ro("inputs", [](const SavedModel& model) { return model.features.size(); })
      .def_prop_ro("kind", &kind)
      .def_prop_ro("options", &model_options)
      .def_prop_ro("training", &training)
      .def_prop_ro("needs_queries", [](const SavedModel& model) { return needs_queries(model); })
      .def_prop_ro("has_categories",
                   [](const SavedModel& model) { return !model.schema.all_numbers(); })
      .def_prop_ro("categories", &model_categories)
      .def_prop_ro(
          "weights", [](const SavedModel& model) { return give(linear(model).weights); },
          nb::rv_policy::move)
      .def_prop_ro("bias", [](const SavedModel& model) { return linear(model).bias; })
      .def_prop_ro("trees",
                   [](const SavedModel& model) { return tree_count(model.model).value_or(0); })
      .def("importance",
           [](const SavedModel& model) { return give(by_feature(model, importance(model.model))); })
      .def("split_counts", [](const SavedModel& model) {
        return give(by_feature(model, split_counts(model.model)));
      });
}

void bind_scores(nb::class_<SavedModel>& type) {
  type.def(
          "score_matrix",
          [](const SavedModel& model, const Matrix& values, int threads,
             const std::string& device) {
            std::vector<double> scores;
            {
              const nb::gil_scoped_release free;
              scores = score_matrix(model, values, {threads, device});
            }
            return give(std::move(scores));
          },
          nb::arg("values").noconvert(), nb::arg("threads"), nb::arg("device") = "cpu")
      .def(
          "score",
          [](const SavedModel& model, const Dataset& data, int threads, const std::string& device) {
            std::vector<double> scores;
            {
              const nb::gil_scoped_release free;
              scores = finite_scores(model, data, {threads, device});
            }
            return give(std::move(scores));
          },
          nb::arg("data"), nb::arg("threads"), nb::arg("device") = "cpu")
      .def(
          "leaves",
          [](const SavedModel& model, const Dataset& data, int threads) {
            std::vector<std::uint32_t> found;
            {
              const nb::gil_scoped_release free;
              found = leaves(model, data, threads);
            }
            return give(std::move(found));
          },
          nb::arg("data"), nb::arg("threads"))
      .def("seconds_to_score", &seconds_to_score, nb::arg("data"), nb::arg("threads"),
           nb::call_guard<nb::gil_scoped_release>());
}

void bind_compiled(nb::module_& module) {
  nb::class_<CompiledModel>(module, "CompiledModel", "A model for many calls with few rows each.")
      .def(
          "__init__",
          [](CompiledModel* self, const SavedModel& model) { new (self) CompiledModel(model); },
          nb::arg("model"))
      .def(
          "score_matrix",
          [](const CompiledModel& model, const Matrix& values) {
            return give(score_few(model, values));
          },
          nb::arg("values").noconvert());
}

void bind_files(nb::class_<SavedModel>& type) {
  type.def("save", &save_model, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_static("load", &load_model, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("to_json", [](const SavedModel& model) { return to_json(model); })
      .def_static(
          "from_json", [](const std::string& json) { return model_from_json(json, "model"); },
          nb::arg("json"))
      .def("__getstate__", [](const SavedModel& model) { return to_json(model); })
      .def("__setstate__", [](SavedModel& model, const std::string& json) {
        new (&model) SavedModel(model_from_json(json, "pickle"));
      });
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<SavedModel> type(module, "Model", "A model with its features and its provenance.");
  bind_facts(type);
  bind_scores(type);
  bind_files(type);
  bind_compiled(module);
}

}  // namespace podium::python
