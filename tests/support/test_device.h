// The device beside the CPU that tests compare it with: the emulated one, or with
// PODIUM_TEST_DEVICE=cuda a GPU (`make test-gpu`).
#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>

#include "device/device_queue.h"
#include "podium/device.h"

namespace podium::testing {

inline Device test_device() {
  const char* const name = std::getenv("PODIUM_TEST_DEVICE");
  return name ? parse_device(name) : Device{Device::Kind::emulated};
}

// `order`: for the emulated device.
inline std::unique_ptr<DeviceQueue> open_test_queue(RunOrder order) {
  const Device device = test_device();
  return device.kind == Device::Kind::emulated ? open_host_queue(order) : open_device(device);
}

}  // namespace podium::testing
