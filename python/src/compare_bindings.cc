// Comparisons of learners, whose results go into a folder.
#include <limits>

#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include "experiments/comparison/comparison_plan.h"
#include "experiments/report/report.h"
#include "foreground.h"
#include "podium/experiment.h"
#include "podium/version.h"

namespace podium::python {
namespace {

ComparisonOptions comparison_options(const std::string& data, const std::string& learners,
                                     const Assignments& given) {
  const auto& table = comparison_option_table();
  ComparisonOptions options = table.read(Settings(table.fields(), given));
  options.data = data;
  options.learners = learners;
  return options;
}

// The folds of a comparison, for systems that are trained in Python.
class ComparisonFolds {
 public:
  ComparisonFolds(const std::string& data, const Assignments& options, std::uint64_t seed,
                  int threads)
      : frame_(threads, seed),
        plan_(plan_comparison(comparison_options(data, "feature", options), {}, kKeepAll,
                              frame_.context())) {}

  const std::vector<std::string>& names() const { return plan_.design->folds(); }
  std::tuple<Dataset, Dataset, Dataset> load(std::size_t fold) {
    FoldData data = plan_.design->load(fold, frame_.context());
    return {std::move(data.train), std::move(data.valid), std::move(data.test)};
  }

 private:
  static constexpr std::size_t kKeepAll = std::numeric_limits<std::size_t>::max();

  Frame frame_;
  ComparisonPlan plan_;
};

nb::dict run(const std::string& data, const std::string& learners, const Assignments& options,
             const std::string& folder, std::uint64_t seed, int threads, const std::string& device,
             nb::object callback) {
  const ComparisonOptions wanted = comparison_options(data, learners, options);
  ComparisonRun run;
  run.folder = folder;
  run.version = PODIUM_VERSION;
  run.command = {"podium.compare"};
  run.spelling = as_argument;
  Foreground foreground(std::move(callback));
  ComparisonOutcome outcome;
  foreground.run([&](std::stop_token stop) {
    ThreadPool pool(threads);
    const auto comm = make_local_communicator();
    Context context{.seed = seed,
                    .pool = pool,
                    .comm = *comm,
                    .observer = foreground,
                    .stop = std::move(stop),
                    .device = device_of(device, *comm)};
    outcome = compare(wanted, run, context);
  });
  nb::dict out;
  out["cells"] = outcome.cells;
  out["found"] = outcome.found;
  out["done"] = outcome.done;
  out["failed"] = outcome.failed;
  out["notes"] = foreground.notes();
  return out;
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Field& field : comparison_option_table().fields()) names.push_back(field.name);
  return names;
}

}  // namespace

void bind_compare(nb::module_& module) {
  module.def("compare", &run, nb::arg("data"), nb::arg("learners"), nb::arg("options"),
             nb::arg("folder"), nb::arg("seed"), nb::arg("threads"), nb::arg("device"),
             nb::arg("callback").none());
  module.def("compare_options", &option_names);
  nb::class_<ComparisonFolds>(module, "ComparisonFolds")
      .def(nb::init<const std::string&, const Assignments&, std::uint64_t, int>(), nb::arg("data"),
           nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("names", &ComparisonFolds::names)
      .def("load", &ComparisonFolds::load, nb::arg("fold"), "Train, validation and test part.",
           nb::call_guard<nb::gil_scoped_release>());
  module.def("check_report", &check_report, nb::arg("path"), nb::arg("data"));
  module.def(
      "write_report",
      [](const std::string& folder, const std::string& path) { write_report(folder, path); },
      nb::arg("folder"), nb::arg("path"));
}

}  // namespace podium::python
