// The module podium._podium: the library as called by the package's Python code. Users use the
// package, not this module; it expects clean arrays and leaves checking arguments to the package.
#include "bindings.h"
#include "core/vector_target.h"
#include "podium/version.h"

NB_MODULE(_podium, module) {
  using namespace podium::python;
  module.def("version", [] { return std::string(PODIUM_VERSION); });
  bind_errors(module);
  podium::vector_target();  // errors in PODIUM_SIMD are raised on import
  bind_catalog(module);
  bind_dataset(module);
  bind_arrow(module);
  bind_model(module);
  bind_evaluation(module);
  bind_training(module);
  bind_export(module);
  bind_explain(module);
  bind_compare(module);
  bind_auto(module);
  bind_runs(module);
  bind_labels(module);
  bind_loss_check(module);
  bind_clicks(module);
  bind_devices(module);
}
