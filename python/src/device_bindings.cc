// The devices of this machine.
#include "bindings.h"

namespace podium::python {
namespace {

nb::dict row(const std::string& name, bool usable) {
  nb::dict out;
  out["name"] = name;
  out["usable"] = usable;
  return out;
}

nb::list devices() {
  const Gpus gpus = find_gpus();
  nb::list out;
  out.append(row("cpu", true));
  for (const Gpu& gpu : gpus.found) {
    nb::dict found = row(to_text(Device{Device::Kind::cuda, gpu.number}), gpu.unusable.empty());
    found["model"] = gpu.name;
    found["bytes"] = gpu.bytes;
    found["compute_capability"] = std::to_string(gpu.major) + "." + std::to_string(gpu.minor);
    if (!gpu.unusable.empty()) found["why_not"] = gpu.unusable;
    out.append(found);
  }
  if (!gpus.none.empty()) {
    nb::dict none = row("cuda", false);
    none["why_not"] = gpus.none;
    out.append(none);
  }
  out.append(row("emulated", true));
  return out;
}

}  // namespace

void bind_devices(nb::module_& module) {
  module.def("devices", &devices);
}

}  // namespace podium::python
