// Grades from labels that are counts, shares or other numbers.
#include <fmt/format.h>

#include "bindings.h"
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

}  // namespace

void bind_labels(nb::module_& module) {
  module.def("fit_label_edges", &fit_edges, nb::arg("labels").noconvert(), nb::arg("buckets"));
  module.def("label_grades", &grades, nb::arg("labels").noconvert(), nb::arg("edges"));
}

}  // namespace podium::python
