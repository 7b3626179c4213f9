// Comparisons of learners, whose results go into a folder.
#include "bindings.h"
#include "experiments/report/report.h"
#include "foreground.h"
#include "podium/experiment.h"
#include "podium/version.h"

namespace podium::python {
namespace {

nb::dict run(const std::string& data, const std::string& learners, const Assignments& options,
             const std::string& folder, std::uint64_t seed, int threads, nb::object callback) {
  const auto& table = comparison_option_table();
  ComparisonOptions wanted = table.read(Settings(table.fields(), options));
  wanted.data = data;
  wanted.learners = learners;
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
    Context context{
        .seed = seed, .pool = pool, .comm = *comm, .observer = foreground, .stop = std::move(stop)};
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
             nb::arg("folder"), nb::arg("seed"), nb::arg("threads"), nb::arg("callback").none());
  module.def("compare_options", &option_names);
  module.def("check_report", &check_report, nb::arg("path"), nb::arg("data"));
  module.def(
      "write_report",
      [](const std::string& folder, const std::string& path) { write_report(folder, path); },
      nb::arg("folder"), nb::arg("path"));
}

}  // namespace podium::python
