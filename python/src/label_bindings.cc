// Grades from labels that are counts, shares or other numbers; labels as expressions of columns.
#include <cmath>

#include <fmt/format.h>

#include "bindings.h"
#include "data/formats/label_expression.h"
#include "data/transform/label_grades.h"
#include "measures/bucket_limits.h"
#include "podium/error.h"

namespace podium::python {
namespace {

std::vector<float> fit_edges(const Vector<float>& labels, double buckets) {
  const std::string problem = bucket_count_problem(buckets);
  if (!problem.empty())
    throw Error(ErrorCode::usage, fmt::format("buckets={} is not {}", buckets, problem));
  return edges_of_labels(as_span(labels), static_cast<std::size_t>(buckets));
}

NumpyVector<float> grades(const Vector<float>& labels, const std::vector<float>& edges) {
  const std::string problem = label_edges_problem(edges);
  if (!problem.empty()) throw Error(ErrorCode::usage, "buckets: " + problem);
  return give(label_grades(as_span(labels), edges));
}

std::vector<std::string> label_columns(const std::string& text) {
  return LabelExpression(text).columns();
}

// One label per row, from the columns that the expression names, in their order.
NumpyVector<float> computed_labels(const std::string& text,
                                   const std::vector<Vector<double>>& columns) {
  const LabelExpression label(text);
  const std::size_t rows = columns.at(0).shape(0);
  std::vector<float> labels(rows);
  std::vector<double> values(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) values[c] = as_span(columns[c])[row];
    labels[row] = static_cast<float>(label.value(values));
    if (!std::isfinite(labels[row]))
      throw Error(ErrorCode::data,
                  fmt::format("label: {} is {} in row {}, which is not a finite number",
                              label.text(), labels[row], row));
  }
  return give(std::move(labels));
}

}  // namespace

void bind_labels(nb::module_& module) {
  module.def("fit_label_edges", &fit_edges, nb::arg("labels").noconvert(), nb::arg("buckets"));
  module.def("label_columns", &label_columns, nb::arg("text"));
  module.def("computed_labels", &computed_labels, nb::arg("text"), nb::arg("columns"));
  module.def("label_grades", &grades, nb::arg("labels").noconvert(), nb::arg("edges"));
}

}  // namespace podium::python
