#include "podium/device.h"

#include <charconv>

#include <fmt/format.h>

#include "core/printable.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::string_view kNumbered = "cuda:";

}  // namespace

std::string to_text(const Device& device) {
  switch (device.kind) {
    case Device::Kind::cpu:
      return "cpu";
    case Device::Kind::cuda:
      return fmt::format("cuda:{}", device.number);
    case Device::Kind::emulated:
      return "emulated";
  }
  return "";
}

Device parse_device(std::string_view name) {
  if (name == "cpu") return {};
  if (name == "emulated") return {Device::Kind::emulated};
  if (name == "cuda") return {Device::Kind::cuda};
  if (name.starts_with(kNumbered)) {
    const std::string_view number = name.substr(kNumbered.size());
    Device device{Device::Kind::cuda};
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), device.number);
    if (error == std::errc() && end == number.data() + number.size() && device.number >= 0)
      return device;
  }
  throw Error(
      ErrorCode::usage,
      fmt::format("‹device›: there is no device '{}': a device is cpu, cuda, cuda:N (the GPU's "
                  "number), auto or emulated",
                  printable(name)));
}

}  // namespace podium
