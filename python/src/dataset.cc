// Data sets from Python's arrays, without copying them, and from files.
#include <algorithm>

#include <fmt/format.h>

#include "bindings.h"
#include "data/formats/column_options.h"
#include "podium/data_io.h"
#include "podium/error.h"
#include "podium/split.h"
#include "podium/transform.h"

namespace podium::python {
namespace {

// The values of features that are categories, by feature.
using Categories = std::vector<std::pair<std::uint32_t, std::vector<std::string>>>;

// The library's order, without repetitions.
std::vector<std::string> sort_categories(std::vector<std::string> values) {
  std::sort(values.begin(), values.end(), category_precedes);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Shared by dense and sparse data.
DatasetParts common_parts(const Vector<float>& labels, const Vector<std::uint64_t>& query_begin,
                          const std::vector<std::string>& qids,
                          std::vector<std::string> feature_names,
                          const std::optional<Vector<float>>& document_weights,
                          const std::optional<Vector<float>>& query_weights,
                          const std::vector<std::string>& docids,
                          const std::optional<Vector<std::uint64_t>>& input_rows,
                          const Categories& categories, std::string label) {
  DatasetParts parts;
  parts.label_expression = std::move(label);
  std::vector<FeatureSchema::Category> types;
  for (const auto& [feature, values] : categories) types.push_back({feature, make_strings(values)});
  parts.schema = FeatureSchema(std::move(types));
  parts.labels = borrow<float>(labels);
  parts.query_begin = borrow<std::uint64_t>(query_begin);
  parts.qids = make_strings(qids);
  parts.feature_names = std::move(feature_names);
  if (document_weights) parts.document_weights = borrow<float>(*document_weights);
  if (query_weights) parts.query_weights = borrow<float>(*query_weights);
  if (!docids.empty()) parts.docids = make_strings(docids);
  if (input_rows) parts.input_rows = borrow<std::uint64_t>(*input_rows);
  return parts;
}

void require_known(const Assignments& given, std::span<const Field> fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(as_argument(field.name, ""));
  for (const auto& [name, text] : given) {
    const std::string argument = as_argument(name, "");
    if (std::find(names.begin(), names.end(), argument) == names.end())
      throw Error(ErrorCode::usage,
                  fmt::format("no option '{}'{}", argument, suggestion(argument, names)));
  }
}

// `features`: the only ones to use; empty: all.
Dataset read(const std::string& path, const Assignments& given,
             const std::vector<std::string>& features, int threads,
             std::vector<std::string>& notes) {
  Frame frame(threads);
  const auto& table = read_option_table();
  require_known(given, table.fields());
  ReadOptions options = table.read(Settings(table.fields(), given));
  require_columns_used(options, {path});
  options.needed = features;
  Dataset data = read_dataset(path, options, frame.context());
  if (!features.empty()) {
    Transform selection;
    selection.features = features;
    data = apply(selection, data, frame.context());
  }
  notes = frame.notes();
  return data;
}

std::vector<std::string> qids(const Dataset& data) {
  std::vector<std::string> out;
  for (std::size_t q = 0; q < data.queries(); ++q) out.emplace_back(data.qid(q));
  return out;
}

std::string kind_of_weights(const Dataset& data) {
  if (!data.parts().document_weights.empty()) return "documents";
  return data.parts().query_weights.empty() ? "none" : "queries";
}

std::vector<std::string> docids(const Dataset& data) {
  std::vector<std::string> out;
  if (!data.has_docids()) return out;
  for (std::size_t d = 0; d < data.documents(); ++d) out.emplace_back(data.docid(d));
  return out;
}

std::map<std::string, std::vector<std::string>> categories(const Dataset& data) {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& category : data.schema().categories()) {
    std::vector<std::string>& values = out[data.feature_names()[category.feature]];
    for (std::size_t i = 0; i < category.values.size(); ++i)
      values.emplace_back(category.values[i]);
  }
  return out;
}

const Dataset& data(nb::handle self) {
  return nb::cast<const Dataset&>(self);
}
const DatasetParts& parts(nb::handle self) {
  return data(self).parts();
}

// A view into the data set's memory, which the array keeps alive.
template <class T>
NumpyVector<const T> view(nb::handle owner, std::span<const T> values) {
  return NumpyVector<const T>(values.data(), {values.size()}, owner);
}

void bind_contents(nb::class_<Dataset>& type) {
  type.def_prop_ro("queries", &Dataset::queries)
      .def_prop_ro("documents", &Dataset::documents)
      .def_prop_ro("features", &Dataset::features)
      .def_prop_ro("is_dense", &Dataset::is_dense)
      .def_prop_ro("feature_names", &Dataset::feature_names)
      .def_prop_ro("categories", &categories)
      .def_prop_ro("label_expression",
                   [](const Dataset& data) { return data.parts().label_expression; })
      .def_prop_ro("bytes", &Dataset::bytes)
      .def_prop_ro("qids", &qids)
      .def_prop_ro("docids", &docids)
      .def_prop_ro("weights", &kind_of_weights)
      .def_prop_ro("input_rows",
                   [](nb::handle self) { return view(self, parts(self).input_rows.view()); })
      .def_prop_ro("absent", [](const Dataset& data) { return data.parts().absent; })
      .def_prop_ro("labels", [](nb::handle self) { return view(self, data(self).labels()); })
      .def_prop_ro("query_begin",
                   [](nb::handle self) { return view(self, data(self).query_begin()); })
      .def_prop_ro("row_begin",
                   [](nb::handle self) { return view(self, parts(self).row_begin.view()); })
      .def_prop_ro("columns",
                   [](nb::handle self) { return view(self, parts(self).columns.view()); })
      .def_prop_ro("values", [](nb::handle self) {
        return view(self,
                    data(self).is_dense() ? parts(self).dense.view() : parts(self).values.view());
      });
}

void bind_makers(nb::class_<Dataset>& type) {
  type.def_static(
          "dense",
          [](const Matrix& values, const Vector<float>& labels,
             const Vector<std::uint64_t>& query_begin, const std::vector<std::string>& ids,
             std::vector<std::string> names, const std::optional<Vector<float>>& document_weights,
             const std::optional<Vector<float>>& query_weights,
             const std::vector<std::string>& document_ids,
             const std::optional<Vector<std::uint64_t>>& input_rows, const Categories& categories,
             std::string label) {
            DatasetParts parts =
                common_parts(labels, query_begin, ids, std::move(names), document_weights,
                             query_weights, document_ids, input_rows, categories, std::move(label));
            parts.features = values.shape(1);
            parts.dense = borrow<float>(values);
            return Dataset(std::move(parts));
          },
          nb::arg("values").noconvert(), nb::arg("labels").noconvert(),
          nb::arg("query_begin").noconvert(), nb::arg("qids"), nb::arg("names"),
          nb::arg("document_weights").none(), nb::arg("query_weights").none(), nb::arg("docids"),
          nb::arg("input_rows").none(), nb::arg("categories"), nb::arg("label"))
      .def_static(
          "sparse",
          [](const Vector<std::uint64_t>& row_begin, const Vector<std::uint32_t>& columns,
             const Vector<float>& values, std::size_t features, const Vector<float>& labels,
             const Vector<std::uint64_t>& query_begin, const std::vector<std::string>& ids,
             std::vector<std::string> names, const std::optional<Vector<float>>& document_weights,
             const std::optional<Vector<float>>& query_weights,
             const std::vector<std::string>& document_ids,
             const std::optional<Vector<std::uint64_t>>& input_rows, const Categories& categories,
             std::string label) {
            DatasetParts parts =
                common_parts(labels, query_begin, ids, std::move(names), document_weights,
                             query_weights, document_ids, input_rows, categories, std::move(label));
            parts.features = features;
            parts.row_begin = borrow<std::uint64_t>(row_begin);
            parts.columns = borrow<std::uint32_t>(columns);
            parts.values = borrow<float>(values);
            return Dataset(std::move(parts));
          },
          nb::arg("row_begin").noconvert(), nb::arg("columns").noconvert(),
          nb::arg("values").noconvert(), nb::arg("features"), nb::arg("labels").noconvert(),
          nb::arg("query_begin").noconvert(), nb::arg("qids"), nb::arg("names"),
          nb::arg("document_weights").none(), nb::arg("query_weights").none(), nb::arg("docids"),
          nb::arg("input_rows").none(), nb::arg("categories"), nb::arg("label"))
      .def_static(
          "read",
          [](const std::string& path, const Assignments& options,
             const std::vector<std::string>& features, int threads) {
            std::vector<std::string> notes;
            const nb::gil_scoped_release free;
            Dataset data = read(path, options, features, threads, notes);
            return std::pair(std::move(data), std::move(notes));
          },
          nb::arg("path"), nb::arg("options"), nb::arg("features"), nb::arg("threads"));
}

// Preferences between rows of the input, which must be of one query.
Dataset with_preferences(const Dataset& data, const std::vector<std::size_t>& better,
                         const std::vector<std::size_t>& worse, const std::vector<float>& weights) {
  std::vector<std::size_t> document(data.documents()), query(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
      document[data.input_row(d)] = d;
      query[d] = q;
    }
  std::vector<std::vector<Preference>> by_query(data.queries());
  for (std::size_t pair = 0; pair < better.size(); ++pair) {
    const auto fail = [&](std::string_view why) {
      throw Error(ErrorCode::data, fmt::format("preferences: pair {} ({}, {}): {}", pair,
                                               better[pair], worse[pair], why));
    };
    if (better[pair] >= document.size() || worse[pair] >= document.size())
      fail(fmt::format("X has {} rows", document.size()));
    if (better[pair] == worse[pair]) fail("a row is preferred to itself");
    const std::size_t a = document[better[pair]], b = document[worse[pair]], q = query[a];
    if (query[b] != q) fail("the rows are of different queries");
    by_query[q].push_back({static_cast<std::uint32_t>(a - data.begin(q)),
                           static_cast<std::uint32_t>(b - data.begin(q)), weights[pair]});
  }
  std::vector<std::uint64_t> begin = {0};
  std::vector<Preference> all;
  for (const auto& pairs : by_query) {
    all.insert(all.end(), pairs.begin(), pairs.end());
    begin.push_back(all.size());
  }
  DatasetParts parts = data.parts();
  parts.preference_begin = std::move(begin);
  parts.preferences = std::move(all);
  return Dataset(std::move(parts));
}

void bind_uses(nb::class_<Dataset>& type) {
  type.def("with_preferences", &with_preferences, nb::arg("better"), nb::arg("worse"),
           nb::arg("weights"));
  type.def(
          "write",
          [](const Dataset& data, const std::string& path, int threads) {
            const nb::gil_scoped_release free;
            Frame frame(threads);
            write_dataset(data, path, frame.context());
            return frame.notes();
          },
          nb::arg("path"), nb::arg("threads"))
      .def(
          "select",
          [](const Dataset& data, const std::vector<std::size_t>& queries) {
            const nb::gil_scoped_release free;
            return select_queries(data, queries);
          },
          nb::arg("queries"))
      .def(
          "split",
          [](const Dataset& data, const std::vector<double>& shares, std::uint64_t seed) {
            return split_queries(data, shares, seed);
          },
          nb::arg("shares"), nb::arg("seed"));
}

}  // namespace

void bind_dataset(nb::module_& module) {
  nb::class_<Dataset> type(module, "Dataset", "Documents grouped by query.");
  bind_makers(type);
  bind_contents(type);
  bind_uses(type);
  module.def("sort_categories", &sort_categories, nb::arg("values"));
}

}  // namespace podium::python
