// podium devices: where trees can be grown and scored on this machine.
#include <fmt/format.h>

#include "cli/command.h"
#include "podium/gpu.h"

namespace podium::cli {
namespace {

std::string describe(const Gpu& gpu) {
  constexpr double kGibibyte = 1 << 30;
  return fmt::format("{}, {:.1f} GiB, compute capability {}.{}{}", gpu.name,
                     static_cast<double>(gpu.bytes) / kGibibyte, gpu.major, gpu.minor,
                     gpu.unusable.empty() ? "" : "; cannot be used: " + gpu.unusable);
}

Json device_json(const Gpu& gpu) {
  Json json = {{"name", to_text(Device{Device::Kind::cuda, gpu.number})},
               {"model", gpu.name},
               {"bytes", gpu.bytes},
               {"compute_capability", fmt::format("{}.{}", gpu.major, gpu.minor)},
               {"usable", gpu.unusable.empty()}};
  if (!gpu.unusable.empty()) json["why_not"] = gpu.unusable;
  return json;
}

void print_devices(const Gpus& gpus, bool as_json) {
  if (as_json) {
    Json json = {{"devices", Json::array({{{"name", "cpu"}, {"usable", true}}})},
                 {"auto", to_text(choose_device("auto"))},
                 {"gpu_code", gpu_targets()},
                 {"driver", gpus.driver},
                 {"no_gpu", gpus.none}};
    for (const Gpu& gpu : gpus.found) json["devices"].push_back(device_json(gpu));
    json["devices"].push_back({{"name", "emulated"}, {"usable", true}});
    return print_json(json);
  }
  const auto line = [](const std::string& name, std::string_view text) {
    print(fmt::format("{:<10} {}\n", name, text));
  };
  line("cpu", "this machine's processors");
  for (const Gpu& gpu : gpus.found)
    line(to_text(Device{Device::Kind::cuda, gpu.number}), describe(gpu));
  line("emulated", "a GPU's work, done by the CPU in one thread: for tests");
  if (!gpus.none.empty()) print(fmt::format("# no GPU: {}\n", gpus.none));
  if (!gpu_targets().empty()) print(fmt::format("# this build has code for {}\n", gpu_targets()));
  if (!gpus.driver.empty()) print(fmt::format("# the driver is for {}\n", gpus.driver));
}

}  // namespace

std::function<void()> declare_devices(CLI::App& /*command*/, Frame& frame) {
  return [&frame] { print_devices(find_gpus(), frame.json()); };
}

}  // namespace podium::cli
