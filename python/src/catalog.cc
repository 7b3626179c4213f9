// The catalogues as plain Python lists and dictionaries: generate_learners.py writes classes from
// them, and podium.learners(), losses(), measures() and conventions() return them.
#include "bindings.h"
#include "podium/evaluator.h"
#include "podium/learner.h"
#include "podium/loss.h"
#include "podium/measure.h"

namespace podium::python {
namespace {

nb::object to_python(const Value& value) {
  return std::visit([](const auto& x) { return nb::cast(x); }, value);
}

// None: the option is not tuned.
nb::object describe_search(const std::optional<SearchRange>& search) {
  if (!search) return nb::none();
  nb::dict out;
  if (search->scale == SearchRange::Scale::choices) {
    out["choices"] = search->choices;
  } else {
    out["low"] = search->low;
    out["high"] = search->high;
    out["log"] = search->scale == SearchRange::Scale::logarithmic;
  }
  return out;
}

nb::dict describe(const Field& field) {
  nb::dict out;
  out["name"] = field.name;
  out["help"] = in_python(field.help);
  out["default"] = to_python(field.initial);
  out["range"] = field.range.text();
  out["choices"] = field.choices;
  out["search"] = describe_search(field.search);
  return out;
}

template <class T>
nb::dict describe(const Entry<T>& entry) {
  nb::list options;
  for (const Field& field : entry.options()) options.append(describe(field));
  nb::dict out;
  out["name"] = std::string(entry.name);
  out["summary"] = std::string(entry.summary);
  out["paper"] = std::string(entry.paper);
  out["options"] = options;
  return out;
}

template <class T>
nb::list describe(const Catalog<T>& catalog) {
  nb::list out;
  for (const Entry<T>* entry : catalog.entries()) out.append(describe(*entry));
  return out;
}

nb::list describe_learners() {
  nb::list out;
  for (const Entry<Learner>* entry : learners().entries()) {
    const auto learner = entry->make(Settings(entry->options(), {}));
    nb::dict row = describe(*entry);
    const std::optional<SharedLoss> loss = learner->loss();
    row["loss"] = loss ? (*loss)->name() : "";
    row["takes_any_loss"] = learner->takes_any_loss();
    row["takes_start"] = learner->takes_start();
    out.append(row);
  }
  return out;
}

nb::list describe_conventions() {
  nb::list out;
  for (const Convention& convention : conventions()) {
    nb::dict row;
    row["name"] = convention.name;
    row["tool"] = convention.tool;
    row["text"] = convention.text();
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_catalog(nb::module_& module) {
  module.def("learners", &describe_learners, "Every learner: name, summary, paper, options.");
  module.def(
      "check_learner", [](const std::string& name) { learners().at(name); }, nb::arg("name"),
      "ValueError that names the nearest when there is no such learner.");
  module.def(
      "suggestion",
      [](const std::string& given, const std::vector<std::string>& names) {
        return suggestion(given, names);
      },
      nb::arg("given"), nb::arg("names"), "', did you mean NAME?', or nothing.");
  module.def(
      "losses", [] { return describe(losses()); }, "Every loss.");
  module.def(
      "measures", [] { return describe(measures()); }, "Every measure.");
  module.def("conventions", &describe_conventions, "The conventions under which tools count.");
}

}  // namespace podium::python
