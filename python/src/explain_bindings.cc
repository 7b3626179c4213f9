// Contributions of features to scores.
#include "bindings.h"
#include "podium/explain.h"

namespace podium::python {
namespace {

// Scores, bases and rests, one per document, and the contributions, documents × features.
nb::tuple explain_all(const SavedModel& model, const Dataset& data, int threads) {
  const std::size_t features = model.features.size();
  std::vector<double> scores, bases, rests, contributions;
  {
    const nb::gil_scoped_release free;
    Frame frame(threads);
    for (const Explanation& one : explain(model, data, frame.context())) {
      scores.push_back(one.score);
      bases.push_back(one.base);
      rests.push_back(one.rest);
      contributions.insert(contributions.end(), one.contributions.begin(), one.contributions.end());
    }
    contributions.resize(scores.size() * features);
  }
  return nb::make_tuple(give(std::move(scores)), give(std::move(bases)), give(std::move(rests)),
                        give(std::move(contributions)), explanation_method(model.model));
}

}  // namespace

void bind_explain(nb::module_& module) {
  module.def("explain", &explain_all, nb::arg("model"), nb::arg("data"), nb::arg("threads"));
}

}  // namespace podium::python
