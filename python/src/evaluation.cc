// Measures of scores.
#include "bindings.h"
#include "measures/label_notes.h"
#include "podium/evaluator.h"
#include "python_measure.h"

namespace podium::python {
namespace {

// Aggregated values by the measures' labels, per-query values, and counts.
nb::dict to_python(Evaluation result) {
  nb::list per_query;
  for (std::vector<double>& values : result.per_query) per_query.append(give(std::move(values)));
  nb::dict out;
  out["measures"] = result.measures;
  out["values"] = result.values;
  out["per_query"] = per_query;
  out["queries"] = result.queries;
  out["empty"] = result.empty;
  return out;
}

nb::dict evaluate(const Vector<float>& labels, const Vector<double>& scores,
                  const Vector<std::uint64_t>& query_begin, const std::vector<std::string>& qids,
                  const std::optional<Vector<float>>& query_weights, nb::list measures,
                  const std::string& convention_name, int threads) {
  const Convention& convention = find_convention(convention_name);
  const Evaluator evaluator(to_measures(measures, convention), convention);
  const Strings ids = make_strings(qids);
  QueryLists lists{.query_begin = as_span(query_begin),
                   .labels = as_span(labels),
                   .scores = as_span(scores),
                   .qids = &ids};
  if (query_weights) lists.query_weights = as_span(*query_weights);
  Evaluation result;
  std::vector<std::string> notes;
  {
    const nb::gil_scoped_release free;
    Frame frame(threads);
    note_labels(lists.labels, evaluator.measures(), frame.context());
    result = evaluator.evaluate(lists, frame.context());
    notes = frame.notes();
  }
  nb::dict out = to_python(std::move(result));
  out["notes"] = notes;
  return out;
}

}  // namespace

void bind_evaluation(nb::module_& module) {
  module.def("evaluate", &evaluate, nb::arg("labels").noconvert(), nb::arg("scores").noconvert(),
             nb::arg("query_begin").noconvert(), nb::arg("qids"), nb::arg("query_weights").none(),
             nb::arg("measures"), nb::arg("convention"), nb::arg("threads"));
}

}  // namespace podium::python
