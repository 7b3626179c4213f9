#include "podium/device.h"

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {

std::string_view to_text(Device device) {
  switch (device) {
    case Device::cpu:
      return "cpu";
  }
  return "";
}

Device parse_device(std::string_view name) {
  if (name == to_text(Device::cpu)) return Device::cpu;
  throw Error(ErrorCode::usage,
              fmt::format("there is no device '{}' in this build: it only has cpu", name));
}

}  // namespace podium
